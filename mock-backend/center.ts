import { type Agent, demandOf, type Negotiation, type Participant } from "./data.ts";
import { languageOf, strings, wanted } from "./formulation.ts";
import { withoutMarkers } from "./markers.ts";
import { bySkill, type Community } from "./resonance.ts";

interface Task {
  id: string;
  title: string;
  description: string;
  assignee_id: string;
  prerequisites: string[];
  status: "pending";
}

interface PlanJson {
  summary: string;
  participants: { agent_id: string; display_name: string; role_in_plan: string }[];
  tasks: Task[];
}

const replied = (negotiation: Negotiation): Participant[] =>
  negotiation.participants.filter((participant) => participant.state === "replied");

/** A plan in Markdown, in the language of the demand, that names everybody who made an offer. */
function writePlan(negotiation: Negotiation, agents: Agents): string {
  const demand = demandOf(negotiation);
  const team = replied(negotiation).map((participant) => ({
    name: participant.display_name,
    skills: skillsOf(participant, demand, agents),
  }));
  return languageOf(wanted(demand)) === "zh" ? planZh(demand, team) : planEn(demand, team);
}

type Agents = ReadonlyMap<string, Agent>;

/** What somebody brings to the demand, the best first: as their offer says, or their profile. */
function skillsOf({ agent_id, offer_capabilities }: Participant, demand: string, agents: Agents): string[] {
  const offered = strings(offer_capabilities);
  return offered.length > 0 ? offered : bySkill(demand, strings(agents.get(agent_id)?.profile_data.skills)).slice(0, 3);
}

type Team = { name: string; skills: string[] }[];

function planZh(demand: string, team: Team): string {
  const lead = team[0]?.name;
  const members = team.map(({ name, skills }) => `- **${name}**：${skills.join("、") || "协作支持"}`);
  const work = team.map(
    ({ name, skills }, i) =>
      `${i + 2}. 第 ${i + 2} 周，${name}：完成「${skills[0] ?? "分工内容"}」部分的第一版，并同步给大家`,
  );
  return [
    "## 协商方案",
    `**需求**：${withoutMarkers(demand)}`,
    ["### 团队", ...(members.length > 0 ? members : ["- 暂无人响应，可以调整需求后重新提交"])].join("\n"),
    [
      "### 步骤",
      `1. 第 1 周，${lead ?? "发起人"}：牵头开一次线上会，确认目标、边界和验收标准`,
      ...work,
      `${team.length + 2}. 第 ${team.length + 2} 周，所有人：合并成果，做一次演示，决定是否继续`,
    ].join("\n"),
    ["### 待确认", "- 预算与报酬方式", "- 每周固定沟通时间"].join("\n"),
  ].join("\n\n");
}

function planEn(demand: string, team: Team): string {
  const lead = team[0]?.name;
  const members = team.map(({ name, skills }) => `- **${name}**: ${skills.join(", ") || "general support"}`);
  const work = team.map(
    ({ name, skills }, i) =>
      `${i + 2}. Week ${i + 2}: ${name} delivers a first version of the ${skills[0] ?? "agreed"} part and shows it to the others`,
  );
  return [
    "## Plan",
    `**Demand**: ${withoutMarkers(demand)}`,
    [
      "### Team",
      ...(members.length > 0 ? members : ["- nobody resonated; change the demand and submit it again"]),
    ].join("\n"),
    [
      "### Steps",
      `1. Week 1: ${lead ?? "the submitter"} calls a kick-off to agree on goals, limits and acceptance criteria`,
      ...work,
      `${team.length + 2}. Week ${team.length + 2}: put the parts together, hold a demo, decide whether to go on`,
    ].join("\n"),
    ["### Still open", "- budget and how it is paid", "- one fixed hour a week for everybody"].join("\n"),
  ].join("\n\n");
}

/** The plan that the engine writes itself, always in Chinese, when Center runs out of time. */
function timeoutPlan(negotiation: Negotiation): string {
  const offers = replied(negotiation).map(({ display_name, offer_content }) => {
    const text = typeof offer_content === "string" ? offer_content : JSON.stringify(offer_content);
    return `- ${display_name}: ${text}`;
  });
  return `## 协商方案（Center 超时，基于已收集信息生成）\n\n**需求**: ${demandOf(negotiation)}\n\n**参与者响应**:\n${offers.join("\n")}\n`;
}

/** One after the other: each waits for the one before it. */
const taskOf = ({ title, assignee_id, description = title }: Written, i: number): Task => ({
  id: `task_${i + 1}`,
  title,
  description,
  assignee_id,
  prerequisites: i === 0 ? [] : [`task_${i}`],
  status: "pending",
});

type Written = Pick<Task, "title" | "assignee_id"> & { description?: string };

/** A task for everybody who made an offer. */
function tasksOf(negotiation: Negotiation, agents: Agents): Task[] {
  const demand = demandOf(negotiation);
  const isZh = languageOf(wanted(demand)) === "zh";
  const work = (skill: string | undefined) =>
    isZh ? `${skill ?? "分工内容"}的第一版` : `A first version of the ${skill ?? "agreed"} part`;
  return replied(negotiation)
    .map((participant) => ({ skills: skillsOf(participant, demand, agents), assignee_id: participant.agent_id }))
    .map(({ skills, assignee_id }) => ({
      title: work(skills[0]),
      description: skills.join(isZh ? "、" : ", "),
      assignee_id,
    }))
    .map(taskOf);
}

/** The structured twin of a plan, which only the feed carries. */
const planJson = (negotiation: Negotiation, tasks: Task[]): PlanJson => ({
  summary: demandOf(negotiation).slice(0, 80),
  participants: replied(negotiation).map(({ agent_id, display_name }) => ({
    agent_id,
    display_name,
    role_in_plan: "contributor",
  })),
  tasks,
});

/** Adds the edges, and the placeholder task that the engine gives a plan without any. */
function withTopology(plan: PlanJson): PlanJson & { topology: { edges: { from: string; to: string }[] } } {
  const unassigned: Task = {
    id: "task_1",
    title: "待分配",
    description: "",
    assignee_id: "unknown",
    prerequisites: [],
    status: "pending",
  };
  const tasks = plan.tasks.length > 0 ? plan.tasks : [unassigned];
  const edges = tasks.flatMap((task) => task.prerequisites.map((from) => ({ from, to: task.id })));
  return { ...plan, tasks, topology: { edges } };
}

/** The errors of a failing Center, as the engine's hidden metadata words them. */
const ERRORS: Readonly<Record<string, string>> = {
  fail: "LLM call failed after retry: 529 overloaded",
  empty: "CenterCoordinatorSkill: no tool calls and no content in response",
  badtool: "CenterCoordinatorSkill: invalid tool name 'ask_agent'",
};

/** What Center gave: the data of the events to send, in this order, and then the error if there is one. */
export interface Synthesis {
  toolCall?: { tool_name: "output_plan"; tool_args: { plan_text: unknown; plan_json: PlanJson }; round_number: 1 };
  plan?: { plan_text: string | null; center_rounds: number; participating_agents: string[]; plan_json: PlanJson };
  error?: string;
}

export function synthesize(
  negotiation: Negotiation,
  { agents, community }: { agents: Agents; community?: Community | undefined },
  marker?: string,
): Synthesis {
  const error = ERRORS[marker ?? ""];
  if (error !== undefined) return { error };
  const own = community?.plan(negotiation);
  const text = own?.text ?? writePlan(negotiation, agents);
  const json = planJson(negotiation, own?.tasks.map(taskOf) ?? tasksOf(negotiation, agents));
  const call = (text: unknown): Synthesis["toolCall"] & {} => ({
    tool_name: "output_plan",
    tool_args: { plan_text: text, plan_json: json },
    round_number: 1,
  });
  const ready = (text: string | null): Synthesis["plan"] & {} => ({
    plan_text: text,
    center_rounds: negotiation.center_rounds,
    participating_agents: json.participants.map(({ agent_id }) => agent_id),
    plan_json: withTopology(json),
  });
  const both = (text: string | null): Synthesis => ({ toolCall: call(text), plan: ready(text) });
  switch (marker) {
    case "dictplan":
      return { toolCall: call({ steps: [] }), error: "expected string or bytes-like object, got 'dict'" };
    case "nullplan":
      return { ...both(null), error: "'NoneType' object is not subscriptable" };
    case "emptyplan":
      return both("");
    case "text":
      return both("Plain text plan: everyone works together.");
    case "hang":
      return { plan: ready(timeoutPlan(negotiation)) };
    case "sub":
      return negotiation.depth === 0 ? { plan: ready(text) } : both(text);
    default:
      return both(text);
  }
}
