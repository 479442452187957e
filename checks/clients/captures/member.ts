import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../journeys/place.ts";
import { type Lang, WORDS } from "./words.ts";

export interface Person {
  user_id: string;
  api_token: string;
  scene_id: string;
}

/** Their own name, scene and profile, as after a join; the same person on this machine and at an endpoint. */
export async function newMember(
  { backendUrl, env, mock }: Pick<Place, "backendUrl" | "env" | "mock">,
  lang: Lang,
): Promise<Person> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const answered = await fetch(`${backendUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answered.ok) throw new Error(`${path}: ${answered.status} ${await answered.text()}`);
    return answered.json();
  };
  const { scene, name, profile } = WORDS[lang];
  const { scene_id = "" } = mock.scenes().find((one) => one.name === scene) ?? {};
  const person = (await post("/v1/api/auth/mcp-token", { user_id: "" })) as Omit<Person, "scene_id">;
  const member = { agent_id: person.user_id, display_name: name, source_type: "mcp", profile_data: profile };
  await post(`/v1/api/scenes/${scene_id}/agents`, member, person.api_token);
  const folder = join(env.HOME ?? "", ".towow");
  mkdirSync(folder, { mode: 0o700, recursive: true });
  const { user_id, api_token } = person;
  const config = { backend_url: backendUrl, last_scene_id: scene_id, lang, user_id, api_token };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config), { mode: 0o600 });
  return { ...person, scene_id };
}
