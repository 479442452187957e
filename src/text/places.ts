import type { Places } from "./reader.ts";

export const placesEn: Places = {
  terminal: (whose, _, line) => `${whose === "theirs" ? "in their own terminal" : "in a terminal"}: ${line}`,
  page: () => "on this page.",
  room: (whose, _, address) =>
    whose === "theirs"
      ? `in their room, which opens once they have signed in with their Towow token: ${address}`
      : `in your room, which opens once you have signed in with your Towow token: ${address}`,
  ownProgram: (whose, _, line) =>
    `with ${whose === "theirs" ? "their" : "your"} own towow-mcp, in the same network and with the same token: ${line}`,
  nowhere: {
    room: "Try again in a moment. If it keeps failing, look in this program's log, or ask the person who runs it.",
    endpoint: "Tell the operator of this endpoint; its log has more.",
  },
};

/** The places in Chinese, in which the place comes before the verb. */
export const placesZh: Places = {
  terminal: (whose, verb, line) => `在${whose === "theirs" ? "自己的" : ""}终端里${verb}：${line}`,
  page: (verb) => `在本页上${verb}。`,
  room: (_, verb, address) => `在自己的协商室里${verb}（用通爻令牌登录后打开）：${address}`,
  ownProgram: (_, verb, line) => `用自己的 towow-mcp ${verb}（同一个网络、同一个令牌）：${line}`,
  nowhere: {
    room: "请稍后再试。如果一直如此，请查看这个程序的日志，或询问运行它的人。",
    endpoint: "请联系这个服务的管理员，日志里有详情。",
  },
};
