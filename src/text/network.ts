/** What `towow-mcp network`, setup and `towow-mcp sandbox` say about the choice of a network. */
const s = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`;

const en = {
  /** Returns the name by which a person knows a network, from its host. */
  name: (host: string) => host,
  ask: "Which network?",
  option: {
    production: "the network's own production environment",
    sandbox: "on this machine, to try everything; its agents are made up",
    current: "the one in use now",
    otherLabel: "another address …",
    other: "a backend of your own or your team's",
  },
  address: "Its address",
  notAddress: "That is not a network address. Type https://… or sandbox.",
  now: (network: string) => `Network: ${network}`,
  none: "No network has been chosen yet.",
  left: "Nothing was changed.",
  change: (production: string) =>
    `To choose one:\n  towow-mcp network sandbox\n  towow-mcp network ${production}\n  towow-mcp network https://…`,
  saved: (network: string) => `The network is now ${network}.`,
  same: (network: string) => `The network is ${network} already.`,
  /** Shown if the saved network is not the one in use. */
  kept: (network: string) => `Saved for this home: ${network}.`,
  overridden: (where: string, network: string) =>
    `${where} is set here and wins over any choice: the network stays ${network} until you unset it.`,
  ownEntry: (client: string, network: string, path: string) =>
    `But ${client} stays with ${network}, which its own entry names (${path}). To change that:`,
  behind: {
    title: (network: string) => `This stays behind at ${network} and is not passed on:`,
    identity: (id: string) => `your id there: ${id}`,
    scene: (id: string) => `your last scene: ${id}`,
    negotiations: (count: number) => s(count, "negotiation"),
    waiting: (ids: string) => `still open: ${ids}. To decide on it, go back first.`,
    back: (network: string) => `To go back: towow-mcp network ${network}`,
  },
  check: {
    answers: (network: string) => `${network} answers.`,
    scenes: (network: string, count: number) =>
      `${network} answers: ${count} ${count === 1 ? "scene" : "scenes"} to join.`,
    wantsToken: (network: string) => `${network} answers. Your first call gets a token from it.`,
    tokenUntried: (network: string, command: string) =>
      `${network} answers. Your token has not been used there yet. To try it: ${command}`,
    foreign: (network: string) => `${network} answers, but is not a Towow backend.`,
  },
  sandbox: {
    runs: (pid: number) => `The sandbox runs (process ${pid}).`,
    sleeps: "The sandbox is asleep. The next call starts it, and it ends by itself when unused.",
    holds: (scenes: number, agents: number, negotiations: number) =>
      `It holds ${s(scenes, "scene")}, ${s(agents, "agent")} and ${s(negotiations, "negotiation")}.`,
    empty: "It has not been used yet.",
    kept: (folder: string) => `Kept in ${folder}`,
    use: "To use it: towow-mcp network sandbox",
    ended: "The sandbox has ended; its data stays.",
    reset: "The sandbox is back to its first state; what was in it is erased.",
    broken: (path: string) => `${path} cannot be read; the next start sets it aside and starts fresh.`,
    unreadable: (path: string, reason: string) => `${path} cannot be read (${reason}), so the sandbox does not start.`,
    aside: (path: string) => `Its earlier data could not be read and was set aside: ${path}`,
  },
};

const zh: typeof en = {
  name: (host) => (host === "sandbox" ? "沙盒" : host),
  ask: "使用哪个网络？",
  option: {
    production: "通爻网络的生产环境",
    sandbox: "沙盒：只在本机，用来试用；其中的 Agent 都是虚构的",
    current: "目前使用的网络",
    otherLabel: "其他地址……",
    other: "自己或团队的后端",
  },
  address: "它的地址",
  notAddress: "这不是网络地址，请输入 https://… 或 sandbox。",
  now: (network) => `网络：${network}`,
  none: "还没有选择网络。",
  left: "没有任何更改。",
  change: (production) =>
    `选择方法：\n  towow-mcp network sandbox\n  towow-mcp network ${production}\n  towow-mcp network https://…`,
  saved: (network) => `现在使用的网络是 ${network}。`,
  same: (network) => `使用的网络已经是 ${network}。`,
  kept: (network) => `已保存到你的设置：${network}。`,
  overridden: (where, network) => `这里设置了 ${where}，它优先于任何选择：取消之前，网络一直是 ${network}。`,
  ownEntry: (client, network, path) => `但 ${client} 的条目自己指定了网络，仍使用 ${network}（${path}）。如要更改：`,
  behind: {
    title: (network) => `以下内容留在 ${network}，不会带到新的网络：`,
    identity: (id) => `你在那里的 ID：${id}`,
    scene: (id) => `最近加入的场景：${id}`,
    negotiations: (count) => `${count} 个协商`,
    waiting: (ids) => `尚未结束：${ids}。要对它做决定，请先切换回去。`,
    back: (network) => `切换回去：towow-mcp network ${network}`,
  },
  check: {
    answers: (network) => `${network} 可以连通。`,
    scenes: (network, count) => `${network} 可以连通，有 ${count} 个场景可加入。`,
    wantsToken: (network) => `${network} 可以连通，首次调用时会获取令牌。`,
    tokenUntried: (network, command) =>
      `${network} 可以连通。你的令牌还没有在那里用过，不知道是否有效；用它试一次：${command}`,
    foreign: (network) => `${network} 有应答，但不是通爻后端。`,
  },
  sandbox: {
    runs: (pid) => `沙盒正在运行（进程 ${pid}）。`,
    sleeps: "沙盒未在运行。下次调用时会自动启动，闲置后自动结束。",
    holds: (scenes, agents, negotiations) => `其中有 ${scenes} 个场景、${agents} 个 Agent、${negotiations} 个协商。`,
    empty: "还没有用过。",
    kept: (folder) => `数据保存在 ${folder}`,
    use: "使用沙盒：towow-mcp network sandbox",
    ended: "沙盒已结束，数据保留。",
    reset: "沙盒已恢复到最初的样子，原有内容已清除。",
    broken: (path) => `${path} 无法读取；下次启动时会另存它并重新开始。`,
    unreadable: (path, reason) => `${path} 无法读取（${reason}），沙盒因此无法启动。`,
    aside: (path) => `沙盒原来的数据无法读取，已另存为 ${path}`,
  },
};

export type NetworkTexts = typeof en;

export const networkTexts = (lang: "zh" | "en"): NetworkTexts => (lang === "zh" ? zh : en);
