import * as z from "zod";
import { isPlaceholder } from "./placeholder.ts";

/** How a value that arrives as text (environment, flag, `towow-mcp config set`) is converted. */
export type Kind = "text" | "number" | "switch" | "record";

interface Declaration {
  readonly kind: Kind;
  readonly schema: z.ZodType;
  readonly default: unknown;
  /** What the key accepts, in a form that needs no translation and that a refusal quotes. */
  readonly expected: string;
  readonly en: string;
  readonly zh: string;
  /** Set if the value names an account, so that a placeholder does not count. */
  readonly identifies?: true;
  /** Set if the value is masked wherever it is shown. */
  readonly secret?: true;
  /** Other names of the key in the file and, with the prefix, in the environment. */
  readonly aliases?: readonly string[];
  /** Set for state of the program itself, which is read from the file only and has no flag or variable. */
  readonly fileOnly?: true;
}

/** Keeps the literal types of a declaration, so that `SettingValues` can be derived from it. */
const key = <const D extends Declaration>(declaration: D): D => declaration;
const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) => ({
  kind: "text" as const,
  schema: z.enum(values),
  expected: values.join("|"),
});
const seconds = (min: number, max: number) => ({
  kind: "number" as const,
  schema: z.number().min(min).max(max),
  expected: `${min}–${max} s`,
});
const id = {
  kind: "text" as const,
  schema: z
    .string()
    .max(200)
    .regex(/^\P{Cc}+$/u),
  expected: "1–200 characters",
};
const count = { kind: "number" as const, schema: z.number().int().min(1), expected: "a whole number from 1" };
const names = {
  kind: "text" as const,
  schema: z.string().regex(/^[a-z_]+(\s*,\s*[a-z_]+)*$/),
  expected: "name,name,…",
};
// The token goes into a header, so it must contain nothing that could end one.
const token = { kind: "text" as const, schema: z.string().regex(/^[\x21-\x7e]+$/), expected: "visible ASCII" };

const filled = z
  .string()
  .min(1)
  .refine((text) => !isPlaceholder(text));

/** One origin's identity, as the file keeps it. Unknown fields are preserved. */
export const IdentityRecord = z.looseObject({
  user_id: filled.optional().catch(undefined),
  api_token: filled.optional().catch(undefined),
  expires_at: z.string().optional().catch(undefined),
  issued_at: z.string().optional().catch(undefined),
  replaces: z.string().optional().catch(undefined),
});
export type IdentityRecord = z.output<typeof IdentityRecord>;

/** Declares every config key: what it accepts, its default, and its purpose. Serves contract §3. */
export const CONFIG = {
  user_id: key({
    ...id,
    default: undefined,
    identifies: true,
    en: "Your id in the network",
    zh: "你在网络中的唯一标识",
  }),
  api_token: key({
    ...token,
    default: undefined,
    identifies: true,
    secret: true,
    en: "The backend's token",
    zh: "后端认证令牌",
  }),
  backend_url: key({
    kind: "text",
    schema: z.string(),
    default: undefined,
    expected: "http(s)://host[:port][/path] | sandbox",
    en: "Which network: the backend's address, or `sandbox`",
    zh: "使用哪个网络：后端地址，或 `sandbox`（沙盒）",
  }),
  mode: key({ ...oneOf("normal", "developer"), default: "normal", en: "Which tools are listed", zh: "显示哪组工具" }),
  last_scene_id: key({ ...id, default: undefined, en: "The scene joined last", zh: "最近加入的场景" }),
  last_negotiation_id: key({ ...id, default: undefined, en: "The negotiation started last", zh: "最近的协商" }),
  last_name_hash: key({
    kind: "text",
    schema: z.string(),
    default: undefined,
    fileOnly: true,
    expected: "a hash",
    en: "Hash of the name under which your own id was registered last",
    zh: "你的 ID 最近登记时所用名字的哈希值",
  }),
  lang: key({
    ...oneOf("zh", "en"),
    default: (locale: string | undefined): "zh" | "en" => (/^zh\b|^zh_/i.test(locale ?? "") ? "zh" : "en"),
    aliases: ["language"],
    en: "The language of what people read",
    zh: "界面语言",
  }),
  confirmation_policy: key({
    ...oneOf("auto", "strict"),
    default: "auto",
    en: "Who may approve: auto = the best surface there is, strict = a person's own surface only",
    zh: "谁可以批准：auto＝可用的最佳界面，strict＝仅限本人操作的界面",
  }),
  on_unconfirmed: key({
    ...oneOf("cancel", "leave"),
    default: "cancel",
    en: "What becomes of a negotiation that nobody confirmed before the deadline",
    zh: "到期仍未确认的协商如何处理",
  }),
  confirm_deadline_s: key({
    ...seconds(1, 86_400),
    default: 300,
    en: "After how long the backend confirms by itself",
    zh: "后端自动确认前的等待时间",
  }),
  wait_budget_s: key({ ...seconds(0, 3600), default: 45, en: "The longest wait of one call", zh: "单次调用最长等待" }),
  profile: key({
    ...oneOf("live", "read_only", "dry_run", "offline"),
    default: "live",
    en: "What tools may do",
    zh: "工具的权限范围",
  }),
  toolset: key({
    ...oneOf("normal", "developer", "readonly", "docs", "reports", "all"),
    default: undefined,
    en: "Which tools are listed, instead of the mode's",
    zh: "列出哪一组工具，取代模式默认的工具",
  }),
  allow_tools: key({ ...names, default: undefined, en: "Only these tools, by name", zh: "只列出这些工具" }),
  exclude_tools: key({ ...names, default: undefined, en: "Not these tools, by name", zh: "不列出这些工具" }),
  feed: key({
    ...oneOf("on", "off"),
    default: "on",
    en: "Whether the backend's live events are listened to, for reasons that its answers do not give",
    zh: "是否接收后端的实时事件，以便了解应答里没有说明的原因",
  }),
  redact_pii: key({
    kind: "switch",
    schema: z.boolean(),
    default: true,
    expected: "true|false",
    en: "Mask phone numbers, e-mail addresses and identity numbers in what others wrote",
    zh: "遮盖他人文字中的电话、邮箱和证件号码",
  }),
  offer_chars: key({
    ...count,
    default: 4_000,
    en: "The longest offer that a result shows",
    zh: "结果中单个 Offer 的最大长度",
  }),
  plan_chars: key({
    ...count,
    default: 16_000,
    en: "The longest plan that a result shows",
    zh: "结果中方案的最大长度",
  }),
  low_resonance: key({
    kind: "number",
    schema: z.number().min(0).max(1),
    default: 0.55, // The engine asks everyone above 0.5, so this is hardly more.
    expected: "0–1",
    en: "A result whose best resonance is below it waits for your second look",
    zh: "最高共振分低于此值的结果会请你再核对",
  }),
  budget_max_negotiations: key({
    ...count,
    default: undefined,
    en: "The most negotiations that one session may start",
    zh: "单次会话最多发起的协商数",
  }),
  budget_max_backend_requests: key({
    ...count,
    default: undefined,
    en: "The most requests that one session may make",
    zh: "单次会话最多的后端请求数",
  }),
  allow_http: key({
    kind: "switch",
    schema: z.boolean(),
    default: false,
    expected: "true|false",
    en: "Allow plain http to other machines",
    zh: "允许以明文 http 访问其他机器",
  }),
  identities: key({
    kind: "record",
    schema: z.record(z.string(), z.unknown()),
    default: undefined,
    fileOnly: true,
    secret: true,
    expected: "{ origin: { user_id, api_token, expires_at } }",
    en: "One identity for each backend origin",
    zh: "每个后端各自的身份",
  }),
} as const satisfies Record<string, Declaration>;

export type ConfigKey = keyof typeof CONFIG;
export const CONFIG_KEYS = Object.keys(CONFIG) as ConfigKey[];

type DefaultOf<D> = D extends { default: (...args: never[]) => infer R }
  ? R
  : D extends { default: infer V }
    ? V
    : never;
/** The types of all keys, derived from their declarations. Only a key without a default may be `undefined`. */
export type SettingValues = {
  readonly [K in ConfigKey]:
    | z.output<(typeof CONFIG)[K]["schema"]>
    | (DefaultOf<(typeof CONFIG)[K]> extends undefined ? undefined : never);
};

/** Returns the declaration of a key, with the literal types widened. */
export const declarationOf = (name: ConfigKey): Declaration => CONFIG[name];

/** Lists the names of a key in the file, the proper one first. */
export const fileNames = (name: ConfigKey): string[] => [name, ...(declarationOf(name).aliases ?? [])];

/** Lists the environment names of a key, the proper one first. State that lives only in the file has none. */
export const environmentNames = (name: ConfigKey): string[] =>
  declarationOf(name).fileOnly ? [] : fileNames(name).map((alias) => `TOWOW_${alias.toUpperCase()}`);
