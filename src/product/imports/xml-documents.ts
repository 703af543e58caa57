import type { SheetRow } from '../../engine/imports/join-rows';
import { UnreadableFile } from '../../server/imports/reading/sheet-file';
import { UnreadableResults } from '../test-results/reading/parsed-test';
import { readXml } from '../test-results/reading/xml';
import { joinTexts, plainText, sheetRows, type ForeignCase, type ForeignStep } from './foreign-case';

/** An element with all that is within it. */
interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  text: string;
  readonly children: XmlNode[];
}

/** The rows of TestRail's, TestLink's or Zephyr Scale's XML; undefined for any other. Throws UnreadableFile with the line. */
export async function readXmlDocument(text: string): Promise<readonly SheetRow[] | undefined> {
  const root = await parseTree(text);
  if (has(root, 'testCase') || ['testCases', 'project'].includes(root.name))
    return sheetRows('Zephyr Key', zephyr(root));
  if (['testsuite', 'testcases', 'testcase', 'testproject'].includes(root.name))
    return sheetRows('TestLink ID', testLink(root, []));
  if (['suite', 'suites', 'sections', 'section'].includes(root.name))
    return sheetRows('TestRail ID', testRail(root, []));
  return undefined;
}

async function parseTree(text: string): Promise<XmlNode> {
  const open: XmlNode[] = [];
  let root: XmlNode | undefined;
  const listener = {
    wantsText: () => true,
    // A file in the document is one text; the size of the document limits it.
    maxText: Infinity,
    open(name: string, attributes: Readonly<Record<string, string>>, _path: readonly string[], line: number) {
      const node: XmlNode = { name, attributes, line, text: '', children: [] };
      open.at(-1)?.children.push(node);
      root ??= node;
      open.push(node);
    },
    close: (_name: string, own: string) => void (open.pop()!.text = own),
  };
  async function* whole() {
    yield text;
  }
  try {
    await readXml(whole(), listener, async () => undefined);
  } catch (error) {
    if (!(error instanceof UnreadableResults)) throw error;
    throw new UnreadableFile(`Line ${error.line ?? 1}: ${error.message}`);
  }
  return root!;
}

const childOf = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((child) => child.name === name);
const childrenOf = (node: XmlNode | undefined, name: string): readonly XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];
const has = (node: XmlNode, name: string) => childOf(node, name) !== undefined;
/** The text of a child, or of the `value` in it, as drop-downs have. */
function textIn(node: XmlNode | undefined, ...names: readonly string[]): string {
  for (const name of names) {
    const child = childOf(node, name);
    const text = child && (child.text.trim() || childOf(child, 'value')?.text.trim());
    if (text) return text;
  }
  return '';
}
const plainIn = (node: XmlNode | undefined, ...names: readonly string[]) => plainText(textIn(node, ...names));
/** Names in a list such as `<labels><label>a</label></labels>`. */
const listIn = (node: XmlNode, list: string, item: string) =>
  childrenOf(childOf(node, list), item)
    .map((one) => (one.attributes.name ?? (one.text.trim() || textIn(one, 'name', 'key'))).trim())
    .filter((name) => name !== '')
    .join(', ');

const testRailPriorities: Readonly<Record<string, string>> = {
  '1': 'Low',
  '2': 'Medium',
  '3': 'High',
  '4': 'Critical',
};

/** Suites, sections within sections, and cases; what a team added to cases is in `custom`. */
function testRail(node: XmlNode, sections: readonly string[]): ForeignCase[] {
  const inside = node.name === 'section' ? [...sections, textIn(node, 'name')] : sections;
  return node.children.flatMap((child): ForeignCase[] => {
    if (['suite', 'sections', 'section', 'cases'].includes(child.name)) return testRail(child, inside);
    return child.name === 'case' ? [testRailCase(child, inside)] : [];
  });
}

function testRailCase(node: XmlNode, sections: readonly string[]): ForeignCase {
  const custom = childOf(node, 'custom');
  const priority = textIn(node, 'priority');
  const steps = childOf(custom, 'steps_separated') ?? childOf(custom, 'steps_case');
  return {
    line: node.line,
    id: textIn(node, 'id'),
    title: textIn(node, 'title'),
    sections,
    facts: {
      Type: textIn(node, 'type'),
      Priority: testRailPriorities[priority] ?? priority,
      Status: textIn(node, 'status'),
      'Assigned To': textIn(node, 'assignedto'),
      Description: joinTexts(plainIn(custom, 'mission'), plainIn(custom, 'goals')),
      'Pre-conditions': plainIn(custom, 'preconds'),
      'Steps to Reproduce': plainIn(custom, 'steps', 'testrail_bdd_scenario'),
      'Expected Result': plainIn(custom, 'expected'),
      Postconditions: plainIn(custom, 'postconds', 'postconditions'),
      References: textIn(node, 'references', 'refs'),
      Estimate: textIn(node, 'estimate'),
    },
    steps: childrenOf(steps, 'step').map((step) => ({
      line: step.line,
      action: plainIn(step, 'content'),
      data: plainIn(step, 'additional_info'),
      expected: plainIn(step, 'expected'),
    })),
  };
}

const testLinkPriorities: Readonly<Record<string, string>> = { '1': 'Low', '2': 'Medium', '3': 'High' };
const testLinkStates: Readonly<Record<string, string>> = {
  '1': 'Draft',
  '2': 'Ready for review',
  '3': 'Review in progress',
  '4': 'Rework',
  '5': 'Obsolete',
  '6': 'Future',
  '7': 'Final',
};

/** Suites within suites, of which the outermost has no name if a whole project was exported. */
function testLink(node: XmlNode, sections: readonly string[]): ForeignCase[] {
  if (node.name === 'testcase') return [testLinkCase(node, sections)];
  const inside = node.name === 'testsuite' ? [...sections, node.attributes.name ?? ''] : sections;
  const [first, ...rest] = node.children.flatMap((child) =>
    ['testsuite', 'testcases', 'testcase'].includes(child.name) ? testLink(child, inside) : [],
  );
  if (!first) return [];
  const ofSuite = testLinkFiles(node).map(({ name }) => ({
    name,
    reason: `It belongs to the test suite “${inside.at(-1) ?? ''}”, which has no files here.`,
  }));
  return [{ ...first, files: [...(first.files ?? []), ...ofSuite] }, ...rest];
}

/** The files that the document has of a suite, a case or a step. */
const testLinkFiles = (node: XmlNode) =>
  childrenOf(childOf(node, 'attachments'), 'attachment').map((one) => ({
    name: one.attributes.name ?? (textIn(one, 'name', 'file_name', 'title') || one.text.trim()),
    base64: textIn(one, 'content'),
  }));

function testLinkCase(node: XmlNode, sections: readonly string[]): ForeignCase {
  const importance = textIn(node, 'importance');
  const status = textIn(node, 'status');
  const steps = childrenOf(childOf(node, 'steps'), 'step');
  return {
    line: node.line,
    id: textIn(node, 'fullexternalid', 'externalid') || (node.attributes.internalid ?? ''),
    title: node.attributes.name ?? '',
    sections,
    facts: {
      Priority: testLinkPriorities[importance] ?? importance,
      Status: testLinkStates[status] ?? status,
      Description: plainIn(node, 'summary'),
      'Pre-conditions': plainIn(node, 'preconditions'),
      // Before version 1.9 the steps were one text.
      'Steps to Reproduce': steps.length > 0 ? '' : plainIn(node, 'steps'),
      'Expected Result': plainIn(node, 'expectedresults'),
      References: childrenOf(childOf(node, 'requirements'), 'requirement')
        .map((one) => textIn(one, 'doc_id'))
        .join(', '),
      Estimate: textIn(node, 'estimated_exec_duration'),
      Labels: listIn(node, 'keywords', 'keyword'),
    },
    steps: steps
      .map((step) => ({
        number: Number(textIn(step, 'step_number')) || 0,
        line: step.line,
        action: plainIn(step, 'actions'),
        data: '',
        expected: plainIn(step, 'expectedresults'),
      }))
      .sort((one, other) => one.number - other.number),
    files: [node, ...steps].flatMap(testLinkFiles),
  };
}

/** Cases with the path of their folder. */
function zephyr(root: XmlNode): ForeignCase[] {
  const list = root.name === 'project' ? childOf(root, 'testCases') : root;
  return childrenOf(list, 'testCase').map((node) => {
    const script = childOf(node, 'testScript');
    const steps = childrenOf(childOf(script, 'steps'), 'step').map((step): ForeignStep => {
      const called = textIn(step, 'testCaseKey');
      return {
        line: step.line,
        action: plainIn(step, 'description') || (called && `Call ${called}`),
        data: plainIn(step, 'testData'),
        expected: plainIn(step, 'expectedResult'),
      };
    });
    return {
      line: node.line,
      id: node.attributes.key ?? '',
      title: plainIn(node, 'name'),
      sections: plainIn(node, 'folder').split('/'),
      facts: {
        Priority: plainIn(node, 'priority'),
        Status: plainIn(node, 'status'),
        Description: plainIn(node, 'objective'),
        'Pre-conditions': plainIn(node, 'precondition'),
        'Steps to Reproduce': plainIn(script, 'details'),
        References: listIn(node, 'issues', 'issue'),
        Estimate: textIn(node, 'estimatedTime'),
        Labels: listIn(node, 'labels', 'label'),
        'Owner Key': textIn(node, 'owner'),
        Attachments: childrenOf(childOf(node, 'attachments'), 'attachment')
          .filter((one) => textIn(one, 'url') === '')
          .map((one) => one.attributes.name ?? (one.text.trim() || textIn(one, 'name')))
          .join(', '),
      },
      steps,
      links: childrenOf(childOf(node, 'attachments'), 'attachment').map((one) => ({
        name: textIn(one, 'name'),
        address: textIn(one, 'url'),
      })),
    };
  });
}
