import { type Others, spoken, textsForPerson } from "./for-person.ts";
import type { Texts } from "./index.ts";

type RoomWords = Partial<Record<keyof Texts["errors"], string>>;

/** What sends somebody to a terminal, to a setting or to an argument: a page has none of these. */
const ELSEWHERE = /towow-mcp|TOWOW_|towow_|--\w|allow_duplicate|scene_id=/;

const enRoom = {
  /** Of everything whose way out is not on the page. */
  elsewhere: "Try again in a moment. If it keeps failing, tell the person who runs this server.",
  ofWrite: "Find out on this page whether it took effect before you send it again.",
  errors: {
    "tool.input.invalid.intent_empty": "Say what you need.",
    "tool.input.invalid.demand_incomplete": "Say what you need.",
    "tool.scene.not_found.unknown_scene": "Check its id, or choose one of the scenes that are listed.",
    "tool.scene.not_found.none_joined": "Choose a scene first.",
    "tool.negotiation.not_found.unknown_negotiation":
      "A backend that was restarted forgets its negotiations. Yours are under History.",
    "tool.negotiation.not_found.other_backend": "It can be read and decided on where its own backend is set.",
    "tool.negotiation.invalid.confirmation_id": "Read the text on this page, and decide again.",
    "tool.negotiation.conflict.already_decided": "This page shows where it stands.",
    "tool.negotiation.unavailable.no_on_its_way": "It is sent again by itself. This page shows when it has arrived.",
    "tool.negotiation.conflict.not_waiting": "This page shows where it stands.",
    "tool.negotiation.conflict.not_formulated": "This page shows where it stands.",
    "tool.negotiation.conflict.already_completed": "This page shows how it ended.",
    "tool.negotiation.conflict.submit_outcome_open": "Wait {minutes} min before you send it again.",
    "tool.policy.blocked.confirmation_required": "Decide on this page, in a browser that is yours.",
    "tool.policy.blocked.tainted": "Decide on this page.",
    "tool.policy.blocked.not_submitted_here": "You can read it, and decide on it here while it waits.",
    "tool.policy.blocked.profile": "The profile is set where this server runs.",
    "tool.policy.blocked.offline": "The profile is set where this server runs.",
    "tool.policy.blocked.dry_run": "The profile is set where this server runs.",
    "tool.budget.blocked.negotiations": "The limit is set where this server runs.",
    "tool.budget.blocked.backend_requests": "The limit is set where this server runs.",
    "tool.auth.unauthorized.token_rejected": "Check your token for this backend.",
    "tool.auth.unavailable.token": "Try again in a moment.",
    "tool.auth.blocked.dry_run": "The profile is set where this server runs.",
    "tool.auth.blocked.forbidden": "Check whether this account may do it.",
    "tool.backend.unavailable.route_missing": "Go on without it.",
    "tool.backend.unavailable.server_error": "Try again in a moment.",
    "tool.backend.timeout.read": "Try again in a moment.",
    "tool.backend.timeout.submit_outcome_unknown": "The same demand is refused for ten minutes.",
    "tool.backend.internal.unexpected": "Try once more. If it happens again, report it.",
    "tool.backend.internal.output_invalid": "Report it.",
  } as RoomWords,
  review: "This result is worth a second look.",
  unshown:
    "Try again in a moment. If this goes on, the backend cannot show this demand and nobody can decide on it: withdraw it, reword it and submit it again.",
};

const zhRoom: typeof enRoom = {
  elsewhere: "请稍后再试。如果一直如此，请告诉运行这个服务的人。",
  ofWrite: "请先在本页查看是否已经生效，再决定是否重新发送。",
  errors: {
    "tool.input.invalid.intent_empty": "请写出你的需求。",
    "tool.input.invalid.demand_incomplete": "请写出你的需求。",
    "tool.scene.not_found.unknown_scene": "请检查它的 ID，或从列出的场景中选择。",
    "tool.scene.not_found.none_joined": "请先选择一个场景。",
    "tool.negotiation.not_found.unknown_negotiation": "重启过的后端会丢失协商。你的协商见“历史”。",
    "tool.negotiation.not_found.other_backend": "请在设置了它所属后端的地方查看和决定。",
    "tool.negotiation.invalid.confirmation_id": "请阅读本页上的文本，再做一次决定。",
    "tool.negotiation.conflict.already_decided": "本页会显示它的进展。",
    "tool.negotiation.unavailable.no_on_its_way": "会自动重新发送，送达后本页会显示。",
    "tool.negotiation.conflict.not_waiting": "本页会显示它的进展。",
    "tool.negotiation.conflict.not_formulated": "本页会显示它的进展。",
    "tool.negotiation.conflict.already_completed": "本页会显示它如何结束。",
    "tool.negotiation.conflict.submit_outcome_open": "请等 {minutes} 分钟再发送。",
    "tool.policy.blocked.confirmation_required": "请在你自己的浏览器里，在本页上决定。",
    "tool.policy.blocked.tainted": "请在本页上决定。",
    "tool.policy.blocked.not_submitted_here": "可以查看；在它等待决定期间，也可以在这里决定。",
    "tool.policy.blocked.profile": "profile 在运行这个服务的地方设置。",
    "tool.policy.blocked.offline": "profile 在运行这个服务的地方设置。",
    "tool.policy.blocked.dry_run": "profile 在运行这个服务的地方设置。",
    "tool.budget.blocked.negotiations": "上限在运行这个服务的地方设置。",
    "tool.budget.blocked.backend_requests": "上限在运行这个服务的地方设置。",
    "tool.auth.unauthorized.token_rejected": "请检查你用于此后端的令牌。",
    "tool.auth.unavailable.token": "请稍后再试。",
    "tool.auth.blocked.dry_run": "profile 在运行这个服务的地方设置。",
    "tool.auth.blocked.forbidden": "请检查此账号是否有权限。",
    "tool.backend.unavailable.route_missing": "可以不用它继续。",
    "tool.backend.unavailable.server_error": "请稍后再试。",
    "tool.backend.timeout.read": "请稍后再试。",
    "tool.backend.timeout.submit_outcome_unknown": "十分钟内相同的需求会被拒绝。",
    "tool.backend.internal.unexpected": "请再试一次；如再次出现，请报告。",
    "tool.backend.internal.output_invalid": "请报告这个问题。",
  },
  review: "这个结果值得你再看一眼。",
  unshown: "请稍后再试。如果一直如此，说明后端无法显示这个需求，也就没有人能对它做决定：请撤回它，换个说法重新提交。",
};

function inRoom(texts: Texts, { elsewhere, ofWrite, errors, review, unshown }: typeof enRoom): Texts {
  const codes = Object.keys(texts.errors) as (keyof Texts["errors"])[];
  const others = codes.flatMap((code) => {
    const theirs = texts.errors[code];
    const recovery = errors[code] ?? (ELSEWHERE.test(theirs.recovery) ? elsewhere : undefined);
    const own = {
      ...(recovery !== undefined && { recovery }),
      ...(theirs.recoveryOfWrite !== undefined && { recoveryOfWrite: ofWrite }),
    };
    return [[code, own]];
  });
  return spoken(texts, {
    errors: Object.fromEntries(others) as Others["errors"],
    note: { review_pending: review },
    unshown: { open: () => unshown },
  });
}

const enForRoom = inRoom(textsForPerson("en"), enRoom);
const zhForRoom = inRoom(textsForPerson("zh"), zhRoom);

/** Every sentence for a person who reads it on a page: it names what can be done there, and no command. */
export const textsForRoom = (lang: "zh" | "en"): Texts => (lang === "zh" ? zhForRoom : enForRoom);
