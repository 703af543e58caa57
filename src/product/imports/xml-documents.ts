import type { SheetRow } from '../../engine/imports/join-rows';
import { UnreadableFile } from '../../server/imports/reading/sheet-file';
import { UnreadableResults } from '../test-results/reading/parsed-test';
import { readXml } from '../test-results/reading/xml';
import { joinTexts, noteOf, plainText, sheetRows, type ForeignCase, type ForeignStep } from './foreign-case';
import { requireValue } from '../../engine/values/lookups';

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
  if (hasChild(root, 'testCase') || ['testCases', 'project'].includes(root.name))
    return sheetRows('Zephyr Key', zephyr(root));
  if (['testsuite', 'testcases', 'testcase', 'testproject'].includes(root.name))
    return sheetRows('TestLink ID', withEmptySuites(testLink(root, []), emptySuites(root)));
  if (['suite', 'suites', 'sections', 'section'].includes(root.name))
    return sheetRows('TestRail ID', withEmptySuites(testRail(root, []), emptySections(root)));
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
    close: (_name: string, closingText: string) => {
      requireValue(open.pop(), 'the element that ends').text = closingText;
    },
  };
  async function* textPieces() {
    yield text;
  }
  try {
    await readXml(textPieces(), listener, async () => undefined);
  } catch (error) {
    if (!(error instanceof UnreadableResults)) throw error;
    throw new UnreadableFile(`Line ${error.line ?? 1}: ${error.message}`);
  }
  return requireValue(root, 'the first element of the document');
}

const childOf = (node: XmlNode | undefined, name: string): XmlNode | undefined =>
  node?.children.find((child) => child.name === name);
const childrenOf = (node: XmlNode | undefined, name: string): readonly XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];
const hasChild = (node: XmlNode, name: string) => childOf(node, name) !== undefined;
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
    .map((childNode) =>
      (childNode.attributes.name ?? (childNode.text.trim() || textIn(childNode, 'name', 'key'))).trim(),
    )
    .filter((name) => name !== '')
    .join(', ');

/** All words within an element, apart from the numbers beside the words of a choice. */
function wordsIn(node: XmlNode): string {
  const nodeText = node.text.trim();
  const words = node.children.filter(({ name }) => name !== 'id' || node.children.length === 1).map(wordsIn);
  return plainText([nodeText, ...words].filter((text) => text !== '').join(', '));
}

/** `automation_type` and `createdBy` as headings. */
const headingOf = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** The texts of an element's other children, by headings. */
function othersIn(node: XmlNode | undefined, knownNames: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const child of node?.children ?? []) {
    const text = knownNames.includes(child.name) ? '' : wordsIn(child);
    // The choice of nothing.
    if (text !== '' && text !== 'None')
      texts[headingOf(child.name)] = joinTexts(texts[headingOf(child.name)] ?? '', text);
  }
  return texts;
}

/** Fields that a team added, by their names. */
const addedFields = (nodes: readonly XmlNode[]): Record<string, string> =>
  Object.fromEntries(
    nodes.flatMap((node) => {
      const name = node.attributes.name ?? textIn(node, 'name');
      const value = childOf(node, 'value');
      return name === '' || !value ? [] : [[name, wordsIn(value)] as const];
    }),
  );

/** A section or suite around cases: its name, and the text that it has for them. */
interface Section {
  readonly name: string;
  readonly text: string;
}

const namesOf = (sections: readonly Section[]) => sections.map(({ name }) => name);
const notesOf = (sections: readonly Section[]) =>
  sections.flatMap(({ name, text }) => noteOf(name === '' ? 'Suite' : `Section “${name}”`, text));

/** The cases with the names of sections that have none: a module is made of a section with cases alone. */
function withEmptySuites([first, ...rest]: ForeignCase[], names: readonly string[]): ForeignCase[] {
  if (!first || names.length === 0) return first ? [first, ...rest] : [];
  return [{ ...first, others: { ...first.others, 'Empty Sections': names.join(', ') } }, ...rest];
}

const emptySections = (node: XmlNode): readonly string[] =>
  node.children.flatMap((child) => {
    const isEmpty = child.name === 'section' && testRail(child, []).length === 0;
    return isEmpty ? [textIn(child, 'name')] : emptySections(child);
  });

const emptySuites = (node: XmlNode): readonly string[] =>
  node.children.flatMap((child) => {
    const isEmpty = child.name === 'testsuite' && testLink(child, []).length === 0;
    return isEmpty ? [child.attributes.name ?? ''] : emptySuites(child);
  });

const testRailPriorities: Readonly<Record<string, string>> = {
  '1': 'Low',
  '2': 'Medium',
  '3': 'High',
  '4': 'Critical',
};

/** Elements of a case, and of what a team added to cases, that a field here has. */
const testRailKnown = [
  'id',
  'title',
  'type',
  'priority',
  'status',
  'assignedto',
  'references',
  'refs',
  'estimate',
  'custom',
];
const testRailCustom = [
  'mission',
  'goals',
  'preconds',
  'steps',
  'testrail_bdd_scenario',
  'expected',
  'postconds',
  'postconditions',
  'steps_separated',
  'steps_case',
];

/** Suites, sections within sections, and cases; what a team added to cases is in `custom`. */
function testRail(node: XmlNode, sections: readonly Section[]): ForeignCase[] {
  const text = plainIn(node, 'description');
  const isSuite = node.name === 'suite' && text !== '';
  const childSections =
    node.name === 'section'
      ? [...sections, { name: textIn(node, 'name'), text }]
      : isSuite
        ? [...sections, { name: '', text }]
        : sections;
  return node.children.flatMap((child): ForeignCase[] => {
    if (['suite', 'sections', 'section', 'cases'].includes(child.name)) return testRail(child, childSections);
    return child.name === 'case' ? [testRailCase(child, childSections)] : [];
  });
}

function testRailCase(node: XmlNode, sections: readonly Section[]): ForeignCase {
  const custom = childOf(node, 'custom');
  const priority = textIn(node, 'priority');
  const steps = childOf(custom, 'steps_separated') ?? childOf(custom, 'steps_case');
  return {
    line: node.line,
    id: textIn(node, 'id'),
    title: textIn(node, 'title'),
    sections: namesOf(sections),
    others: { ...othersIn(node, testRailKnown), ...othersIn(custom, testRailCustom) },
    notes: [
      ...notesOf(sections),
      ...noteOf('TestRail ID', textIn(node, 'id')),
      ...noteOf(
        'References',
        [textIn(node, 'references', 'refs'), ...childrenOf(steps, 'step').map((step) => textIn(step, 'refs'))]
          .filter((text) => text !== '')
          .join(', '),
      ),
    ],
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
function testLink(node: XmlNode, sections: readonly Section[]): ForeignCase[] {
  if (node.name === 'testcase') return [testLinkCase(node, sections)];
  const childSections =
    node.name === 'testsuite'
      ? [...sections, { name: node.attributes.name ?? '', text: plainIn(node, 'details') }]
      : sections;
  const [first, ...rest] = node.children.flatMap((child) =>
    ['testsuite', 'testcases', 'testcase'].includes(child.name) ? testLink(child, childSections) : [],
  );
  if (!first) return [];
  const ofSuite = testLinkFiles(node).map(({ name }) => ({
    name,
    reason: `It belongs to the test suite “${childSections.at(-1)?.name ?? ''}”, which has no files here.`,
  }));
  return [{ ...first, files: [...(first.files ?? []), ...ofSuite] }, ...rest];
}

/** The files that the document has of a suite, a case or a step. */
const testLinkFiles = (node: XmlNode) =>
  childrenOf(childOf(node, 'attachments'), 'attachment').map((childNode) => ({
    name: childNode.attributes.name ?? (textIn(childNode, 'name', 'file_name', 'title') || childNode.text.trim()),
    base64: textIn(childNode, 'content'),
  }));

const testLinkExecutions: Readonly<Record<string, string>> = { '1': 'Manual', '2': 'Automated' };
/** Elements of a case that a field here has, or that order the cases of their program. */
const testLinkKnown = [
  'fullexternalid',
  'externalid',
  'importance',
  'status',
  'summary',
  'preconditions',
  'steps',
  'expectedresults',
  'requirements',
  'estimated_exec_duration',
  'keywords',
  'attachments',
  'execution_type',
  'custom_fields',
  'node_order',
  'version',
  'active',
  'is_open',
];

function testLinkCase(node: XmlNode, sections: readonly Section[]): ForeignCase {
  const execution = textIn(node, 'execution_type');
  const id = textIn(node, 'fullexternalid', 'externalid') || (node.attributes.internalid ?? '');
  const importance = textIn(node, 'importance');
  const status = textIn(node, 'status');
  const steps = childrenOf(childOf(node, 'steps'), 'step');
  return {
    line: node.line,
    id,
    title: node.attributes.name ?? '',
    sections: namesOf(sections),
    others: {
      // A test case without another type of execution is run by a person.
      ...(execution !== '' && execution !== '1' && { 'Execution Type': testLinkExecutions[execution] ?? execution }),
      ...(textIn(node, 'active') === '0' && { Active: 'No' }),
      ...othersIn(node, testLinkKnown),
      ...addedFields(childrenOf(childOf(node, 'custom_fields'), 'custom_field')),
    },
    notes: [
      ...notesOf(sections),
      ...noteOf('TestLink ID', id),
      ...noteOf(
        'References',
        childrenOf(childOf(node, 'requirements'), 'requirement')
          .map((childNode) => textIn(childNode, 'doc_id'))
          .filter((text) => text !== '')
          .join(', '),
      ),
      ...noteOf('Keywords', listIn(node, 'keywords', 'keyword')),
    ],
    facts: {
      Priority: testLinkPriorities[importance] ?? importance,
      Status: testLinkStates[status] ?? status,
      Description: plainIn(node, 'summary'),
      'Pre-conditions': plainIn(node, 'preconditions'),
      // Before version 1.9 the steps were one text.
      'Steps to Reproduce': steps.length > 0 ? '' : plainIn(node, 'steps'),
      'Expected Result': plainIn(node, 'expectedresults'),
      Estimate: textIn(node, 'estimated_exec_duration'),
    },
    steps: steps
      .map((step) => ({
        number: Number(textIn(step, 'step_number')) || 0,
        line: step.line,
        action: plainIn(step, 'actions'),
        data: '',
        expected: plainIn(step, 'expectedresults'),
      }))
      .sort((left, right) => left.number - right.number),
    files: [node, ...steps].flatMap(testLinkFiles),
  };
}

/** Elements of a case that a field here has. */
const zephyrKnown = [
  'name',
  'folder',
  'priority',
  'status',
  'objective',
  'precondition',
  'testScript',
  'issues',
  'estimatedTime',
  'labels',
  'owner',
  'attachments',
  'customFields',
  'parameters',
  'testDataWrapper',
];

/** Names of parameters in a text, `<var>User</var>`, as that program shows them. */
const withParameters = (text: string) => plainText(text.replace(/<var>([^<]*)<\/var>/gi, '{$1}'));

/** The parameters of a case with their values, and its table of test data: a line for each. */
function zephyrData(node: XmlNode): string {
  const parameters = childrenOf(childOf(node, 'parameters'), 'parameter').map(
    (childNode) => `${textIn(childNode, 'name')}: ${textIn(childNode, 'defaultValue', 'value')}`,
  );
  const rows = childrenOf(childOf(node, 'testDataWrapper'), 'testDataRow').map((row) =>
    childrenOf(childOf(row, 'testDataColumns'), 'testData')
      .map((childNode) => `${textIn(childNode, 'name')}: ${textIn(childNode, 'value')}`)
      .join(', '),
  );
  return joinTexts(...parameters, ...rows);
}

/** Cases with the path of their folder. */
function zephyr(root: XmlNode): ForeignCase[] {
  const list = root.name === 'project' ? childOf(root, 'testCases') : root;
  return childrenOf(list, 'testCase').map((node) => {
    const script = childOf(node, 'testScript');
    const steps = childrenOf(childOf(script, 'steps'), 'step').map((step): ForeignStep => {
      const calledCase = textIn(step, 'testCaseKey');
      return {
        line: step.line,
        action: withParameters(textIn(step, 'description')) || (calledCase && `Call ${calledCase}`),
        data: withParameters(textIn(step, 'testData')),
        expected: withParameters(textIn(step, 'expectedResult')),
      };
    });
    return {
      line: node.line,
      id: node.attributes.key ?? '',
      title: plainIn(node, 'name'),
      sections: plainIn(node, 'folder').split('/'),
      others: {
        ...othersIn(node, zephyrKnown),
        ...addedFields(childrenOf(childOf(node, 'customFields'), 'customField')),
      },
      notes: [
        ...noteOf('Zephyr Key', node.attributes.key ?? ''),
        ...noteOf('References', listIn(node, 'issues', 'issue')),
        ...noteOf('Labels', listIn(node, 'labels', 'label')),
      ],
      facts: {
        Priority: plainIn(node, 'priority'),
        Status: plainIn(node, 'status'),
        Description: plainIn(node, 'objective'),
        'Pre-conditions': plainIn(node, 'precondition'),
        'Test Data': zephyrData(node),
        'Steps to Reproduce': plainIn(script, 'details'),
        Estimate: textIn(node, 'estimatedTime'),
        'Owner Key': textIn(node, 'owner'),
        Attachments: childrenOf(childOf(node, 'attachments'), 'attachment')
          .filter((childNode) => textIn(childNode, 'url') === '')
          .map((childNode) => childNode.attributes.name ?? (childNode.text.trim() || textIn(childNode, 'name')))
          .join(', '),
      },
      steps,
      links: childrenOf(childOf(node, 'attachments'), 'attachment').map((childNode) => ({
        name: textIn(childNode, 'name'),
        address: textIn(childNode, 'url'),
      })),
    };
  });
}
