// Writes the site of the documentation: a page for each file of `docs/`, the files themselves, an index for the search,
// and `llms.txt`. Nothing of it needs the network, and no page has a script or style of its own within it.
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { astToHTML, RuleType } from 'markdown-to-jsx/html';
import { readNavigation, readPages, resolveLink, textOf } from './pages.mjs';

const assets = dirname(fileURLToPath(import.meta.url));

/**
 * Builds the site of a folder of Markdown.
 *
 * @param {{ source: string, output: string, version: string }} options
 */
export function buildDocumentation({ source, output, version }) {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const pages = readPages(source);
  const navigation = readNavigation(pages);
  const order = navigation.flatMap(({ entries }) => entries);
  for (const page of pages) {
    const html = layOut(page, { navigation, order, version, content: renderPage(page, pages) });
    write(output, outputFile(page), html);
    write(output, page.path, page.source);
  }
  write(output, '404.html', layOut(missingPage, { navigation, order, version, content: missingPage.content }));
  write(output, 'search.json', JSON.stringify(pages.flatMap(searchEntries)));
  write(output, 'llms.txt', listForModels(navigation));
  for (const name of ['site.js', 'site.css']) copyFileSync(join(assets, name), join(output, name));
  const pictures = join(source, 'screenshots');
  if (existsSync(pictures)) cpSync(pictures, join(output, 'screenshots'), { recursive: true });
}

const missingPage = {
  title: 'There is no such page',
  address: '',
  path: '',
  headings: [],
  content: '<h1>There is no such page</h1><p>It may have another name in this version. Search for it above.</p>',
};

function write(folder, name, text) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** `guide/tutorial.html`; the README of a folder is its `index.html`. */
function outputFile({ path }) {
  return path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

function renderPage(page, pages) {
  for (const link of page.links) link.target = siteTarget(page, link, pages);
  const html = astToHTML(
    page.nodes.filter((node) => node.type !== RuleType.htmlComment),
    { tagfilter: false },
  );
  // A table or block that scrolls sideways must be reached by keys.
  return html
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<img ', '<img loading="lazy" ')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** The address that a link has on the site. Files outside of `docs/` are not part of it, so only their names remain. */
function siteTarget({ path }, { target }, pages) {
  const linkTarget = resolveLink(path, target);
  if (!linkTarget) return target;
  const linked = pages.find((candidate) => candidate.path === linkTarget.file);
  const anchor = linkTarget.anchor ? `#${linkTarget.anchor}` : '';
  if (linked) return linked.path === path && anchor ? anchor : `${linked.address}${anchor}`;
  return linkTarget.file.startsWith('screenshots/') ? `/docs/${linkTarget.file}${anchor}` : null;
}

/** The sections of a page for the search: address, title of the page, heading, text. */
function searchEntries({ address, title, nodes }) {
  const entries = [[address, title, title, '']];
  for (const node of nodes) {
    if (node.type === RuleType.heading && node.level > 1)
      entries.push([`${address}#${node.id}`, title, textOf(node), '']);
    else if (node.type !== RuleType.heading) entries.at(-1)[3] += ` ${wordsOf(node)}`;
  }
  return entries.map(([entryPath, name, heading, text]) => [
    entryPath,
    name,
    heading,
    text.replace(/\s+/g, ' ').trim(),
  ]);
}

function wordsOf(node) {
  if (node.type !== RuleType.refCollection) return textOf(node);
  return '';
}

/** `llms.txt` (https://llmstxt.org): every page with its description, as Markdown. */
function listForModels(navigation) {
  const groups = navigation.map(
    ({ title, entries }) =>
      `## ${title}\n\n${entries
        .map((entry) => `- [${entry.title}](/docs/${entry.path})${entry.description && `: ${entry.description}`}`)
        .join('\n')}`,
  );
  const introduction =
    '# Assay\n\n> A metadata-driven low-code engine for business applications, with test management for QA teams on it. One JSON file describes a resource; its table, API, permissions, list and form follow from it.';
  return `${[introduction, ...groups].join('\n\n')}\n`;
}

function layOut(page, { navigation, order, version, content }) {
  const index = order.findIndex(({ path }) => path === page.path);
  const neighbours = [
    ['prev', 'Previous', order[index - 1]],
    ['next', 'Next', index === -1 ? undefined : order[index + 1]],
  ];
  const outline = page.headings.filter(({ level }) => level === 2 || level === 3);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · Assay</title>
<link rel="stylesheet" href="/docs/site.css">
${page.path && `<link rel="alternate" type="text/markdown" href="/docs/${page.path}">\n`}<script src="/docs/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="home" href="/docs">Assay <span>${escape(version)}</span></a>
<div class="search">
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="matches" autocomplete="off">
<ul id="matches" role="listbox" aria-label="Pages" hidden></ul>
</div>
<a class="app" href="/">Open the application</a>
<button type="button" id="theme">Dark theme</button>
</header>
<div class="columns">
<nav aria-label="Pages">
${navigation.map((group) => navigationGroup(group, page)).join('\n')}
</nav>
<main id="content">
<article>
${content}
</article>
<footer>
${neighbours
  .filter(([, , entry]) => entry)
  .map(
    ([rel, label, entry]) => `<a rel="${rel}" href="${entry.address}"><span>${label}</span> ${escape(entry.title)}</a>`,
  )
  .join('\n')}
</footer>
</main>
<aside aria-label="On this page">
${outline.length > 1 ? `<strong>On this page</strong>\n<ul>${outline.map(outlineEntry).join('')}</ul>` : ''}
${page.path && `<a class="markdown" href="/docs/${page.path}">This page as Markdown</a>`}
</aside>
</div>
</body>
</html>
`;
}

function navigationGroup({ title, entries }, page) {
  const isOpen = entries.some(({ path }) => path === page.path);
  const links = entries.map(
    ({ path, address, title: name }) =>
      `<li><a href="${address}"${path === page.path ? ' aria-current="page"' : ''}>${escape(name)}</a></li>`,
  );
  return `<details${isOpen ? ' open' : ''}><summary>${escape(title)}</summary><ul>${links.join('')}</ul></details>`;
}

function outlineEntry({ id, level, text }) {
  return `<li class="level-${level}"><a href="#${encodeURI(id)}">${escape(text)}</a></li>`;
}

function escape(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
