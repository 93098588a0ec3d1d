// picture.mjs: draws docs/design/view.png, the page with an example model, for the README.
import { join } from "node:path";
import { test } from "node:test";
import { open, still } from "./browser.mjs";
import { root, viewed } from "./command.mjs";

test("docs/design/view.png", async () => {
  const example = join(root, "examples/models");
  const page = await open(viewed("digits", join(example, "digits.pt"), "--input", "image=f32[batch,1,28,28]", "--source", example),
                          { viewport: { width: 1280, height: 760 } });
  await page.locator("#find").fill("Conv");
  await page.keyboard.press("Enter");
  await page.evaluate(() => window.cameo.toolbar.setQuery(""));
  await page.getByRole("tab", { name: "Modules" }).click();
  await still(page);
  await page.screenshot({ path: join(root, "docs/design/view.png") });
});
