import { build } from "esbuild";
import { BROWSERS, cssText } from "./css.ts";

/**
 * The page in the chat as one file: a host takes it as a text, and lets it load nothing. With the list of what went in.
 * `common`: as every bundle is made.
 */
export async function chatPage(common) {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: ["src/room/page/chat.tsx"],
    format: "iife",
    platform: "browser",
    target: BROWSERS,
    charset: "utf8",
    write: false,
  });
  const script = outputFiles[0].text.trim().replaceAll("</script", "<\\/script");
  const style = cssText("src/room/page/chat.css");
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>Towow</title><style>${style}</style></head>
<body></body><script>${script}</script></html>
`;
  return { html, metafile };
}
