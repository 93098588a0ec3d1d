// Runs the command, and what makes the models of the tests.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, folder } from "./browser.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export function run(command, ...options) {
  const done = spawnSync(command, options, { cwd: folder, encoding: "utf8", timeout: 120_000 });
  assert.equal(done.status, 0, `${command} ${options.join(" ")}: ${done.stderr}${done.error ?? ""}`);
  return done.stdout;
}

export function cameo(...options) {
  return run(join(build, "cameo"), ...options);
}

// The page of these files.
export function viewed(name, ...options) {
  const page = join(folder, `${name}.html`);
  cameo("view", ...options, "-o", page);
  return page;
}

// A model of `nodes` nodes in the form of a deep transformer.
export function deepGraph(nodes) {
  const model = join(folder, `deep${nodes}.onnx`);
  run("/usr/bin/python3", join(root, "tests/support/deep_graph.py"), model, String(nodes));
  return model;
}
