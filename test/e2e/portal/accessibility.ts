import axe from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Has axe in each document that it opens, and is sent it once. */
export async function pageWithAxe(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(axe.source);
  return page;
}

/** Rules of WCAG 2.2 AA, and good practice, that a page breaks, with the elements. */
export async function violationsOn(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) !== 'object') await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES } });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
