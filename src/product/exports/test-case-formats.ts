import papa from 'papaparse';
import type { Cell } from '../../engine/field-types';
import type { RecordFormat } from '../../server/program';
import { describedFacts, folderPath, joinDescription, qaseFields } from '../imports/json-documents';
import { textForEditors, type ForeignCase, type ForeignFacts } from '../imports/foreign-case';
import { formulaStart } from '../../engine/exports/formulas';
import { stepIndexHeading } from '../imports/spreadsheets';

/** A test case as other programs are told of it. */
export type LeavingCase = Pick<ForeignCase, 'title' | 'sections' | 'facts'> & {
  readonly key: string;
  readonly steps: readonly { readonly action: string; readonly data: string; readonly expected: string }[];
};

const facts = {
  type_id: 'Type',
  priority_id: 'Priority',
  status_id: 'Status',
  description: 'Description',
  pre_conditions: 'Pre-conditions',
  test_data: 'Test Data',
  steps_to_reproduce: 'Steps to Reproduce',
  expected_result: 'Expected Result',
} as const satisfies Readonly<Record<string, keyof ForeignFacts>>;

const columns = [
  'key',
  'name',
  'project_module',
  'project_sub_module',
  'steps.action',
  'steps.data',
  'steps.expected',
  ...Object.keys(facts),
];

/** A test case from its lines, which have the cells of `columns`. */
function leavingCase(lines: readonly (readonly Cell[])[]): LeavingCase {
  const text = (line: readonly Cell[] | undefined, column: string) => {
    const cell = line?.[columns.indexOf(column)];
    return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
  };
  const [first] = lines;
  return {
    key: text(first, 'key'),
    title: text(first, 'name'),
    sections: [text(first, 'project_module'), text(first, 'project_sub_module')].filter((name) => name !== ''),
    facts: Object.fromEntries(Object.entries(facts).map(([field, heading]) => [heading, text(first, field)])),
    steps: lines
      .map((line) => ({
        action: text(line, 'steps.action'),
        data: text(line, 'steps.data'),
        expected: text(line, 'steps.expected'),
      }))
      .filter(({ action, data, expected: expectedResult }) => action !== '' || data !== '' || expectedResult !== ''),
  };
}

/** A form of which each part is written as it comes. */
interface CaseWriter {
  write(cases: readonly LeavingCase[]): string;
  end(): string;
}

const format = (extension: string, mediaType: string, open: () => CaseWriter): RecordFormat => ({
  columns,
  extension,
  mediaType,
  open: () => {
    const writer = open();
    return { write: (records) => writer.write(records.map(leavingCase)), end: () => writer.end() };
  },
});

// TestRail

const testRailPriorities: Readonly<Record<string, string>> = { Urgent: 'Critical' };

const testRailHeadings = [
  'ID',
  'Title',
  'Section',
  'Section Hierarchy',
  'Template',
  'Type',
  'Priority',
  'Preconditions',
  stepIndexHeading,
  'Steps (Step)',
  'Steps (Additional Info)',
  'Steps (Expected Result)',
  'Description',
  'Test Data',
  'Steps to Reproduce',
  'Expected Result',
  'Status',
];

/** Comma-separated values with a row for each step, as TestRail's own export has them and its import takes them. */
export function testRailCsv(): CaseWriter {
  let hasBegun = false;
  const escapeFormula = (cell: string) => (formulaStart.test(cell) ? `'${cell}` : cell);
  const lines = (rows: readonly (readonly string[])[]) =>
    rows.length === 0
      ? ''
      : `${papa.unparse(
          rows.map((row) => row.map(escapeFormula)),
          { newline: '\r\n' },
        )}\r\n`;
  const start = () => {
    if (hasBegun) return '';
    hasBegun = true;
    return `\uFEFF${lines([testRailHeadings])}`;
  };
  return { write: (cases) => start() + lines(cases.flatMap(testRailRows)), end: start };
}

function testRailRows({ key, title, sections, facts: caseFacts, steps }: LeavingCase): string[][] {
  const rows = steps.length === 0 ? [undefined] : steps;
  return rows.map((step, index) => {
    const ofStep = step
      ? [String(index + 1), ...[step.action, step.data, step.expected].map(textForEditors)]
      : ['', '', '', ''];
    if (index > 0) return [...Array<string>(8).fill(''), ...ofStep, ...Array<string>(5).fill('')];
    return [
      key,
      title,
      sections.at(-1) ?? '',
      sections.join(' > '),
      steps.length > 0 ? 'Test Case (Steps)' : 'Test Case (Text)',
      caseFacts.Type ?? '',
      testRailPriorities[caseFacts.Priority ?? ''] ?? caseFacts.Priority ?? '',
      textForEditors(caseFacts['Pre-conditions'] ?? ''),
      ...ofStep,
      textForEditors(caseFacts.Description ?? ''),
      textForEditors(caseFacts['Test Data'] ?? ''),
      textForEditors(caseFacts['Steps to Reproduce'] ?? ''),
      textForEditors(caseFacts['Expected Result'] ?? ''),
      caseFacts.Status ?? '',
    ];
  });
}

// Qase

const qasePriorities: Readonly<Record<string, string>> = { Urgent: 'high', High: 'high', Medium: 'medium', Low: 'low' };
const qaseTypes = new Set([
  'functional',
  'smoke',
  'regression',
  'security',
  'usability',
  'performance',
  'compatibility',
  'integration',
]);

interface QaseSuite {
  readonly id: number;
  readonly title: string;
  readonly suites: QaseSuite[];
  readonly cases: object[];
}

/** Suites with their cases. A case belongs to a suite, so the file is written when all of them are known. */
export function qaseJson(): CaseWriter {
  const top: QaseSuite = { id: 0, title: '', suites: [], cases: [] };
  let [suites, cases] = [0, 0];
  const suiteOf = (sections: readonly string[]) =>
    sections.reduce((parentSuite, title) => {
      let childSuite = parentSuite.suites.find((suite) => suite.title === title);
      if (!childSuite) parentSuite.suites.push((childSuite = { id: ++suites, title, suites: [], cases: [] }));
      return childSuite;
    }, top);
  return {
    write(addedCases) {
      for (const leavingCase of addedCases) suiteOf(leavingCase.sections).cases.push(qaseCase(leavingCase, ++cases));
      return '';
    },
    end: () => `${JSON.stringify({ suites: top.suites, cases: top.cases }, null, 2)}\n`,
  };
}

function qaseCase({ title, facts: caseFacts, steps }: LeavingCase, id: number): object {
  const type = (caseFacts.Type ?? '').toLowerCase();
  return {
    id,
    title,
    description: caseFacts.Description ?? '',
    preconditions: caseFacts['Pre-conditions'] ?? '',
    postconditions: '',
    priority: qasePriorities[caseFacts.Priority ?? ''] ?? 'undefined',
    type: qaseTypes.has(type) ? type : 'other',
    status: caseFacts.Status === 'Closed' ? 'deprecated' : 'actual',
    custom_fields: qaseFields.map((name) => ({ title: name, value: caseFacts[name] ?? '' })),
    tags: [],
    steps_type: 'classic',
    steps: steps.map(({ action, data, expected: expectedResult }, index) => ({
      position: index + 1,
      action,
      expected_result: expectedResult,
      data,
      steps: [],
    })),
  };
}

// Xray

const jiraPriorities: Readonly<Record<string, string>> = { Urgent: 'Highest' };

/** The list of tests that Xray imports in bulk. Values that Jira has no field for are part of the description. */
export function xrayJson(): CaseWriter {
  let count = 0;
  return {
    write: (cases) =>
      cases.map((leavingCase) => `${count++ === 0 ? '[\n' : ',\n'}${JSON.stringify(xrayTest(leavingCase))}`).join(''),
    end: () => (count === 0 ? '[]\n' : '\n]\n'),
  };
}

function xrayTest({ title, sections, facts: caseFacts, steps }: LeavingCase): object {
  const priority = jiraPriorities[caseFacts.Priority ?? ''] ?? caseFacts.Priority;
  const describedValues = Object.fromEntries(describedFacts.map((name) => [name, caseFacts[name]]));
  return {
    testtype: 'Manual',
    fields: {
      summary: title,
      description: joinDescription(caseFacts.Description ?? '', describedValues),
      ...(priority && { priority: { name: priority } }),
    },
    steps: steps.map(({ action, data, expected: expectedResult }) => ({ action, data, result: expectedResult })),
    ...(sections.length > 0 && { xray_test_repository_folder: folderPath(sections) }),
  };
}

/** The forms in which test cases leave for other programs. */
export const testCaseFormats: Readonly<Record<string, RecordFormat>> = {
  testrail: format('csv', 'text/csv; charset=utf-8', testRailCsv),
  qase: format('json', 'application/json; charset=utf-8', qaseJson),
  xray: format('json', 'application/json; charset=utf-8', xrayJson),
};
