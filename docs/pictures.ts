// Photographs the room at the decision and with its plan, in both languages, light and dark:
// `npm run docs:pictures` writes docs/images/room-*.png (wants chromium, the fonts Inter and Noto Sans CJK, and a fresh
// build). `npm run docs:pictures -- --pages <folder>` photographs every page of the room and the report there instead, each
// whole, at 1280 and at 390. From the screens of Claude Code
// that `node checks/clients.ts captures --save` has filmed it draws docs/images/claude-code-*.svg.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { createMockBackend, type MockBackend } from "../mock-backend/main.ts";
import type { Community } from "../mock-backend/resonance.ts";
import { sandboxCommunity } from "../mock-backend/sandbox/community.ts";
import { toSvg } from "./record-svg.ts";

type Lang = "zh" | "en";

const PROGRAM = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const SIZE = { width: 1200, height: 760 };
const START_WITHIN_MS = 20_000;
const SCREEN_MS = 4_000;

/** What the person types. Three of the sandbox's people fit each demand, and one leaves a contact, which nobody does there. */
const TYPED = {
  en: {
    scene: "Around you",
    name: "Maria Lindqvist",
    skills: ["bread", "cakes", "early mornings"],
    bio: "Runs a bakery, and has never cooked for eighty.",
    demand:
      "Our bakery turns fifty in June and we want a street party for eighty neighbours. I am looking for somebody who can cook for so many, and a photographer for the afternoon.",
    reaches: { name: "Lens Shutterby", contact: "Write to lens@shutterby.example." },
  },
  zh: {
    scene: "身边的人",
    name: "林麦香",
    skills: ["面包", "蛋糕", "早起"],
    bio: "开面包店的，没给八十个人做过饭。",
    demand: "面包店开张十周年，想在六月办一场八十人的街坊聚会。想找能给八十人做饭的人，再找一位下午来拍照的摄影师。",
    reaches: { name: "炒小香", contact: "邮箱 xiang@chao.example。" },
  },
} as const;

/** The sandbox's people, one of whom says how to be reached. */
function communityOf(lang: Lang): Community {
  const { name, contact } = TYPED[lang].reaches;
  return {
    ...sandboxCommunity,
    about(demand) {
      const fit = sandboxCommunity.about(demand);
      return {
        ...fit,
        offer(agent) {
          const offer = fit.offer(agent);
          if (offer === undefined || agent.display_name !== name) return offer;
          return { ...offer, content: `${offer.content} ${contact}` };
        },
      };
    },
  };
}

/** The room of an empty home, at its address, until it is ended. */
async function openRoom(mock: MockBackend, lang: Lang) {
  const home = mkdtempSync(join(tmpdir(), "towow-pictures-"));
  const env = { PATH: process.env.PATH, HOME: home, TOWOW_HOME: home, TOWOW_BACKEND_URL: (await mock.listen()).url };
  // The address is for a person, so it is given at a terminal only.
  const program = spawn("script", ["-qefc", `exec "${process.execPath}" "${PROGRAM}" open --no-open`, "/dev/null"], {
    env: { ...env, TOWOW_LANG: lang, LANG: "C.UTF-8", TZ: "UTC" },
  });
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The room did not open.")), START_WITHIN_MS);
    let said = "";
    program.stdout.on("data", (chunk) => {
      said += chunk;
      const [found] = /http:\/\/127[^\s]+\/enter\/\S+/.exec(said) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  return {
    address,
    end() {
      program.kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function type(page: Page, field: string, text: string): Promise<void> {
  await page.locator(`#f-${field}`).click();
  await page.keyboard.type(text);
}

/** The yes, once the end of the text has been seen. */
const YES = "button[value^=broadcast]:enabled:not([aria-disabled])";

const next = (page: Page) => page.locator(".act .go:enabled").click();

async function toDecision(page: Page, lang: Lang, sceneId: string): Promise<void> {
  const { name, skills, bio, demand } = TYPED[lang];
  await photographWhole(page, `scene-${lang}`);
  await page.locator(`button[value="next?sceneId=${sceneId}"]`).click();
  await type(page, "display_name", name);
  await type(page, "skills", skills.join("\n"));
  await type(page, "bio", bio);
  await photographWhole(page, `join-${lang}`);
  await next(page);
  await type(page, "intent", demand);
  await next(page);
  await page.locator("button[value^=broadcast]").waitFor();
  await page.locator(".end").last().scrollIntoViewIfNeeded();
  await page.locator(YES).waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate("scrollTo(0, 0)");
}

/** Where every page is photographed to be looked at, instead of the few for the README. */
const FOLDER = process.argv.includes("--pages") ? process.argv[process.argv.indexOf("--pages") + 1] : undefined;

/** A page of the room, for whoever compares all of them; the README shows others. */
async function photographWhole(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  await page.setViewportSize(SIZE);
}

/** `isWhole`: to its last row, where what is below the window says as much. */
async function photograph(page: Page, name: string, isWhole = false): Promise<void> {
  if (FOLDER !== undefined) return photographWhole(page, name);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const path = fileURLToPath(new URL(`images/${name}-${colorScheme}.png`, import.meta.url));
    await page.screenshot({ path, fullPage: isWhole });
  }
}

async function film(browser: Browser, lang: Lang): Promise<void> {
  const mock = createMockBackend({ stepMs: 2_500, seed: 7, community: communityOf(lang) });
  const room = await openRoom(mock, lang);
  try {
    const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1.5 });
    await page.goto(room.address);
    const scene = mock.scenes().find(({ name }) => name === TYPED[lang].scene);
    await toDecision(page, lang, scene?.scene_id ?? "");
    await photograph(page, `room-decision-${lang}`);
    await page.locator(YES).click();
    await page.locator(".neg").waitFor({ timeout: 60_000 });
    await photographWhole(page, `map-${lang}`);
    await page.locator(".plan").waitFor({ timeout: 60_000 });
    await photograph(page, `room-plan-${lang}`, true);
    if (FOLDER !== undefined) await photographRest(browser, page, lang);
  } finally {
    room.end();
    await mock.close();
  }
}

/** What else a person sees behind a plan: their other demands, and the report. */
async function photographRest(browser: Browser, page: Page, lang: Lang): Promise<void> {
  const report = await page.evaluate(
    "fetch(document.querySelector('form').action.replace(/act$/, 'report.html')).then((one) => one.text())",
  );
  await page.locator("button[value=openHistory]").click();
  await page.locator(".of-history").waitFor();
  await photographWhole(page, `history-${lang}`);
  const paper = await browser.newPage({ bypassCSP: true });
  await paper.setContent(String(report));
  await photographWhole(paper, `report-${lang}`);
  await paper.close();
}

/** The question in Claude Code's form, its choices, and its wake-up with the plan. */
function drawClaudeCode(lang: Lang): void {
  const captured = readFileSync(new URL(`captures/claude-code-accept-${lang}.txt`, import.meta.url), "utf8");
  const screens = captured.split(/^=== .*\n/m).slice(1);
  const frames = [2, 3, 5].map((at) => ({ screen: screens[at]?.trimEnd() ?? "", ms: SCREEN_MS }));
  const rows = Math.max(...frames.map(({ screen }) => screen.split("\n").length));
  const picture = toSvg(frames, { columns: 100, rows }, "Claude Code asks, and is woken with the plan");
  writeFileSync(new URL(`images/claude-code-${lang}.svg`, import.meta.url), picture);
}

if (FOLDER === undefined) for (const lang of ["en", "zh"] as const) drawClaudeCode(lang);
if (process.argv.includes("--screens")) process.exit();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  for (const lang of ["en", "zh"] as const) await film(browser, lang);
} finally {
  await browser.close();
}
