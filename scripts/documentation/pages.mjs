// Reads the pages of `docs/`: their titles, anchors, links and order. The site, its tests and `llms.txt` are made of this.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parser, RuleType } from 'markdown-to-jsx/html';

/** The page that lists all others: its headings and lists of links are the navigation. */
const contents = 'README.md';

/**
 * The pages below a folder of Markdown, each parsed once.
 *
 * @returns {import('./pages.d.mts').Page[]}
 */
export function readPages(folder, names = readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((path) => readPage(path, readFileSync(join(folder, path), 'utf8')));
}

function readPage(path, source) {
  const nodes = parser(source, { tagfilter: false });
  const headings = [];
  const links = [];
  const usedIds = new Map();
  visitNodes(nodes, (node) => {
    if (node.type === RuleType.heading) {
      node.id = uniqueId(slugOf(textOf(node)), usedIds);
      headings.push({ id: node.id, level: node.level, text: textOf(node) });
    }
    if ((node.type === RuleType.link || node.type === RuleType.image) && node.target) links.push(node);
  });
  const title = headings.find(({ level }) => level === 1)?.text ?? path;
  return { path, source, nodes, title, headings, links, address: addressOf(path) };
}

/**
 * The address of a page on the site, as `/docs/guide/tutorial` for `guide/tutorial.md`; a folder has that of its README.
 */
export function addressOf(path) {
  const name = path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '');
  return posix.join('/docs', name).replace(/(.)\/$/, '$1');
}

/** The file of `docs/` that a link of a page leads to, with its anchor; undefined for an address of another site. */
export function resolveLink(path, target) {
  if (/^[a-z][a-z+.-]*:|^\//i.test(target)) return undefined;
  const [file, anchor] = target.split('#');
  const filePath = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
  return { file: filePath, anchor };
}

/**
 * The groups of pages in the order of the site. A link to the README of a folder continues with the groups of that one.
 *
 * @returns {import('./pages.d.mts').Group[]}
 */
export function readNavigation(pages, path = contents) {
  const page = pages.find((candidate) => candidate.path === path);
  const groups = [];
  const nestedGroups = [];
  for (const node of page?.nodes ?? []) {
    if (node.type === RuleType.heading && node.level === 2) groups.push({ title: textOf(node), entries: [] });
    if (node.type !== RuleType.unorderedList || groups.length === 0) continue;
    for (const item of node.items) {
      const [link, ...rest] = flatten(item);
      if (link?.type !== RuleType.link || !link.target) continue;
      const { file } = resolveLink(path, link.target) ?? {};
      const entry = pages.find((candidate) => candidate.path === file);
      if (!entry) continue;
      const description = rest
        .map(textOf)
        .join('')
        .replace(/^[:\s]+/, '')
        .replaceAll('\n', ' ');
      groups.at(-1).entries.push({ path: entry.path, address: entry.address, title: textOf(link), description });
      if (file.endsWith(`/${contents}`))
        nestedGroups.push({ after: groups.at(-1), groups: readNavigation(pages, file) });
    }
  }
  for (const { after: parentGroup, groups: innerGroups } of nestedGroups)
    groups.splice(groups.indexOf(parentGroup) + 1, 0, ...innerGroups);
  return groups;
}

/** The nodes of a list's entry without the paragraph around them. */
function flatten(nodes) {
  return nodes.flatMap((node) => (node.type === RuleType.paragraph ? node.children : [node]));
}

/** Calls `visit` for each node and all below it. */
export function visitNodes(nodes, visit) {
  for (const node of nodes) {
    visit(node);
    for (const children of childrenOf(node)) visitNodes(children, visit);
  }
}

function childrenOf(node) {
  if (node.type === RuleType.table) return [...node.header, ...node.cells.flat()];
  if (node.items) return node.items;
  return Array.isArray(node.children) ? [node.children] : [];
}

/** The text of a node as a reader sees it. */
export function textOf(node) {
  if (node.type === RuleType.breakLine) return ' ';
  if (typeof node.text === 'string') return node.type === RuleType.htmlComment ? '' : node.text;
  return childrenOf(node)
    .map((children) => children.map(textOf).join(''))
    .join(' ');
}

/** The anchor of a heading, as GitHub makes it. */
function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function uniqueId(id, usedIds) {
  const count = usedIds.get(id) ?? 0;
  usedIds.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}
