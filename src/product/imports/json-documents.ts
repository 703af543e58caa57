import { JsonError, parseJson } from '../../engine/check/parse-json';
import type { SheetRow } from '../../engine/imports/join-rows';
import { JsonScanner, type JsonLimits } from '../../engine/values/bounded-json';
import { UnreadableFile } from '../../server/imports/reading/sheet-file';
import {
  noteOf,
  plainText,
  sheetRows,
  type ForeignCase,
  type ForeignFacts,
  type ForeignLink,
  type ForeignStep,
} from './foreign-case';
import { itemAt } from '../../engine/values/lookups';

type Json = Readonly<Record<string, unknown>>;

/** An object of the document, and the line where it begins. */
interface Place {
  readonly value: Json;
  readonly pointer: string;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** The rows of Qase's or Xray's JSON; undefined for any other. Throws UnreadableFile with the line. */
export function readJsonDocument(text: string): readonly SheetRow[] | undefined {
  assertBounded(text);
  try {
    const { value, lines } = parseJson(text.replace(/^\uFEFF/, ''));
    const document = new JsonDocument(lines);
    const qase = qaseCases(document, value);
    if (qase) return sheetRows('Qase ID', qase);
    const xray = xrayTests(value);
    if (xray)
      return sheetRows(
        'Xray Key',
        document.listAt(...xray).map((test) => xrayCase(document, test)),
      );
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) throw new UnreadableFile(`Line ${error.line}: ${error.message}`);
    throw error;
  }
}

/** None of these programs nests deeper; reading would take a time that grows with the square of the depth. */
const limits: JsonLimits = { depth: 200, names: 10_000, values: 1_000_000 };

/** Throws UnreadableFile for what is too much. */
function assertBounded(text: string): void {
  const scanner = new JsonScanner(limits);
  for (const [index, line] of text.split('\n').entries()) {
    try {
      scanner.scan(line);
    } catch (error) {
      throw new UnreadableFile(`Line ${index + 1}: the document ${(error as Error).message}.`);
    }
  }
}

/** Finds lists of objects in a document, with their lines. */
class JsonDocument {
  constructor(private readonly lines: ReadonlyMap<string, number>) {}

  lineOf({ pointer }: Place): number {
    return this.lines.get(pointer) ?? 1;
  }

  /** The objects in a list; nothing else that it may have. */
  listAt(value: unknown, pointer: string): readonly Place[] {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => (isObject(item) ? [{ value: item, pointer: `${pointer}/${index}` }] : []));
  }

  listIn({ value, pointer }: Place, name: string): readonly Place[] {
    return this.listAt(value[name], `${pointer}/${name}`);
  }
}

// Qase

const qasePriorities = ['', 'High', 'Medium', 'Low'];
const qaseTypes = [
  '',
  'Other',
  'Functional',
  'Smoke',
  'Regression',
  'Security',
  'Usability',
  'Performance',
  'Acceptance',
  'Compatibility',
  'Integration',
  'Exploratory',
];
const qaseStates = ['Actual', 'Draft', 'Deprecated'];
/** The program's interface has numbers where its exports have words. */
const wordOf = (value: unknown, words: readonly string[]) =>
  typeof value === 'number' ? (words[value] ?? '') : textOf(isObject(value) ? value.title : value);

/** Words of an object that no field here has, by headings; nothing of what is further within it. */
function scalarsIn(value: Json, knownNames: readonly string[]): Record<string, string> {
  const words = (nested: unknown): string =>
    Array.isArray(nested)
      ? nested
          .map(words)
          .filter((text) => text !== '')
          .join(', ')
      : isObject(nested)
        ? textOf(nested.name ?? nested.title ?? nested.value)
        : typeof nested === 'boolean'
          ? nested
            ? 'Yes'
            : ''
          : textOf(nested);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, nested]) => {
      const text = knownNames.includes(name) ? '' : words(nested);
      const heading = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
      return text === '' ? [] : [[heading.charAt(0).toUpperCase() + heading.slice(1), text] as const];
    }),
  );
}

/** Keys of a case that a field here has, or that number and order the cases of their program. */
const qaseKnown = [
  'id',
  'position',
  'title',
  'type',
  'priority',
  'status',
  'description',
  'preconditions',
  'postconditions',
  'tags',
  'attachments',
  'custom_fields',
  'steps',
  'steps_type',
  'gherkin',
  'suite_id',
  'suite',
  'project_id',
  'author_id',
  'member_id',
  'hash',
];

/** Facts of ours that Qase has no place for: they are fields that a team adds. */
export const qaseFields = [
  'Type',
  'Priority',
  'Status',
  'Test Data',
  'Steps to Reproduce',
  'Expected Result',
] as const satisfies readonly (keyof ForeignFacts)[];

/** An export (suites with cases, within each other or by `parent_id`), or an answer of the program's interface. */
function qaseCases(document: JsonDocument, root: unknown): ForeignCase[] | undefined {
  if (!isObject(root)) return undefined;
  const rootPlace: Place = { value: root, pointer: '' };
  const result = isObject(root.result) ? root.result : undefined;
  if (result && Array.isArray(result.entities))
    return document
      .listAt(result.entities, '/result/entities')
      .map((entity) => qaseCase(document, entity, [], plainText));
  const loose = document.listIn(rootPlace, 'cases');
  if (!Array.isArray(root.suites) && !loose.some(({ value }) => 'title' in value)) return undefined;
  const suites = document.listIn(rootPlace, 'suites');
  const byId = new Map(suites.map((suite) => [suite.value.id, suite.value]));
  const ancestorTitles = (suite: Json, visitedSuites: readonly Json[] = []): string[] => {
    const parent = byId.get(suite.parent_id);
    return parent && !visitedSuites.includes(parent)
      ? [...ancestorTitles(parent, [...visitedSuites, parent]), textOf(parent.title)]
      : [];
  };
  const visit = (suite: Place, sections: readonly string[]): ForeignCase[] => {
    const childSections = [...sections, textOf(suite.value.title)];
    return [
      ...document.listIn(suite, 'cases').map((caseEntry) => qaseCase(document, caseEntry, childSections)),
      ...document.listIn(suite, 'suites').flatMap((childSuite) => visit(childSuite, childSections)),
    ];
  };
  const sectionsOf = ({ value }: Place) => {
    const suite = byId.get(value.suite_id);
    return suite ? [...ancestorTitles(suite), textOf(suite.title)] : [];
  };
  return [
    ...suites.flatMap((suite) => visit(suite, ancestorTitles(suite.value))),
    ...loose.map((caseEntry) => qaseCase(document, caseEntry, sectionsOf(caseEntry))),
  ];
}

/** `readText` reads long texts: those of the interface may be HTML, those of exports are Markdown. */
function qaseCase(
  document: JsonDocument,
  casePlace: Place,
  sections: readonly string[],
  readText = (text: string) => text,
): ForeignCase {
  const { value } = casePlace;
  const isGherkin = value.steps_type === 'gherkin';
  const steps = qaseSteps(document, casePlace, readText);
  const customFields = Object.fromEntries(
    document.listIn(casePlace, 'custom_fields').flatMap(({ value: fieldValue }) => {
      const name = qaseFields.find((fieldName) => fieldName === textOf(fieldValue.title ?? fieldValue.name));
      return name ? [[name, textOf(fieldValue.value)] as const] : [];
    }),
  );
  // Files that this program writes for Qase number their cases; they are no ids of Qase, which has positions too.
  const isOwnExport = !('position' in value) && qaseFields.every((name) => Object.hasOwn(customFields, name));
  return {
    line: document.lineOf(casePlace),
    id: textOf(value.id),
    title: textOf(value.title),
    sections,
    facts: {
      Type: wordOf(value.type, qaseTypes),
      Priority: wordOf(value.priority, qasePriorities),
      Status: wordOf(value.status, qaseStates),
      Description: readText(textOf(value.description)),
      'Pre-conditions': readText(textOf(value.preconditions)),
      'Steps to Reproduce': isGherkin ? textOf(value.gherkin) || steps.map(({ action }) => action).join('\n') : '',
      Postconditions: readText(textOf(value.postconditions)),
      Attachments: document
        .listIn(casePlace, 'attachments')
        .filter(({ value: attachment }) => textOf(attachment.url) === '')
        .map(({ value: attachment }) => textOf(attachment.filename ?? attachment.file_name))
        .join(', '),
      ...customFields,
    },
    others: {
      ...scalarsIn(value, qaseKnown),
      ...Object.fromEntries(
        document
          .listIn(casePlace, 'custom_fields')
          .map(
            ({ value: fieldValue }) => [textOf(fieldValue.title ?? fieldValue.name), textOf(fieldValue.value)] as const,
          )
          .filter(([name]) => name !== '' && !qaseFields.some((fieldName) => fieldName === name)),
      ),
    },
    notes: [
      ...(isOwnExport ? [] : noteOf('Qase ID', textOf(value.id))),
      ...(Array.isArray(value.tags)
        ? noteOf('Labels', value.tags.map((tag) => textOf(isObject(tag) ? tag.title : tag)).join(', '))
        : []),
    ],
    steps: isGherkin ? [] : steps,
    links: qaseLinks(document, casePlace),
  };
}

/** Where the files of a case and its steps are. */
function qaseLinks(document: JsonDocument, casePlace: Place): ForeignLink[] {
  const attachments = document
    .listIn(casePlace, 'attachments')
    .map(({ value }) => ({ name: textOf(value.filename ?? value.file_name), address: textOf(value.url) }))
    .filter(({ address }) => address !== '');
  return [...attachments, ...document.listIn(casePlace, 'steps').flatMap((step) => qaseLinks(document, step))];
}

/** Steps, and those within them below each. */
function qaseSteps(document: JsonDocument, casePlace: Place, readText: (text: string) => string): ForeignStep[] {
  return document.listIn(casePlace, 'steps').flatMap((step) => [
    {
      line: document.lineOf(step),
      action: readText(textOf(step.value.action ?? step.value.value)),
      data: readText(textOf(step.value.data ?? step.value.input_data)),
      expected: readText(textOf(step.value.expected_result)),
    },
    ...qaseSteps(document, step, readText),
  ]);
}

// Xray

/** The tests of a document, and where they are: a file for the bulk import, a query's answer, or a list of issues. */
function xrayTests(root: unknown): [tests: readonly unknown[], pointer: string] | undefined {
  const isTest = (candidate: unknown) =>
    isObject(candidate) &&
    ('testtype' in candidate || 'xray_testtype' in candidate || 'testType' in candidate || 'definition' in candidate);
  if (Array.isArray(root)) return root.some(isTest) ? [root, ''] : undefined;
  if (!isObject(root)) return undefined;
  if (Array.isArray(root.tests) && root.tests.some(isTest)) return [root.tests, '/tests'];
  const data = isObject(root.data) ? root.data : {};
  const testResults = isObject(data.getTests) ? data.getTests.results : undefined;
  return Array.isArray(testResults) ? [testResults, '/data/getTests/results'] : undefined;
}

/** Keys of an issue that a field here has, or that identify it. */
const xrayKnown = [
  'summary',
  'description',
  'priority',
  'assignee',
  'labels',
  'key',
  'project',
  'issuetype',
  'testtype',
  'xray_testtype',
  'testType',
  'testKey',
  'issueId',
  'id',
  'self',
  'steps',
  'fields',
  'jira',
  'definition',
  'folder',
  'xray_test_repository_folder',
  'preconditions',
  'attachments',
  'evidence',
  'evidences',
  'gherkin',
  'gherkin_def',
  'unstructured',
  'unstructured_def',
];

/** The text of a step's cell, which has its markup beside it where it comes from a server. */
const cellText = (value: unknown) => textOf(isObject(value) ? (value.raw ?? value.value) : value);

function xrayCase(document: JsonDocument, casePlace: Place): ForeignCase {
  const { value } = casePlace;
  const fields = [value.fields, value.jira].find(isObject) ?? value;
  const definition = isObject(value.definition) ? value.definition : {};
  const inDefinition = { value: definition, pointer: `${casePlace.pointer}/definition` };
  const steps = [...document.listIn(casePlace, 'steps'), ...document.listIn(inDefinition, 'steps')];
  const folder = isObject(value.folder) ? value.folder.path : value.xray_test_repository_folder;
  const conditions = isObject(value.preconditions) ? value.preconditions.results : value.preconditions;
  const { text, parts } = splitDescription(textOf(fields.description));
  const attachments = [casePlace, ...steps].flatMap((part) =>
    ['attachments', 'evidence', 'evidences'].flatMap((list) => document.listIn(part, list)),
  );
  const nameOf = (namedValue: unknown) => textOf(isObject(namedValue) ? namedValue.name : namedValue);
  return {
    line: document.lineOf(casePlace),
    id: textOf(value.testKey ?? value.key ?? fields.key ?? value.issueId),
    title: textOf(fields.summary),
    sections: foldersIn(textOf(folder)),
    facts: {
      Priority: nameOf(fields.priority),
      'Assigned To': isObject(fields.assignee)
        ? textOf(fields.assignee.emailAddress ?? fields.assignee.displayName)
        : textOf(fields.assignee),
      Description: text,
      'Pre-conditions': document
        .listAt(conditions, '')
        .map(
          ({ value: precondition }) =>
            textOf(precondition.definition) || textOf(isObject(precondition.jira) ? precondition.jira.summary : ''),
        )
        .join('\n'),
      'Steps to Reproduce': [
        value.gherkin_def,
        value.gherkin,
        value.unstructured_def,
        value.unstructured,
        definition.gherkin,
        typeof value.definition === 'string' ? value.definition : '',
      ]
        .map(textOf)
        .filter((textPart) => textPart !== '')
        .join('\n'),
      Attachments: attachments
        .filter(({ value: attachment }) => !hasContent(attachment) && addressOf(attachment) === '')
        .map(({ value: attachment }) => fileNameOf(attachment))
        .join(', '),
      ...parts,
    },
    others: scalarsIn(fields, xrayKnown),
    notes: [
      ...noteOf('Xray Key', textOf(value.testKey ?? value.key ?? fields.key)),
      ...noteOf('Labels', Array.isArray(fields.labels) ? fields.labels.map(nameOf).join(', ') : ''),
    ],
    steps: steps.map((step) => ({
      line: document.lineOf(step),
      action: cellText(step.value.action ?? step.value.step),
      data: cellText(step.value.data),
      expected: cellText(step.value.result ?? step.value.expectedResult),
    })),
    links: attachments
      .filter(({ value: attachment }) => !hasContent(attachment))
      .map(({ value: attachment }) => ({
        name: fileNameOf(attachment),
        address: addressOf(attachment),
      })),
    files: attachments
      .filter(({ value: attachment }) => hasContent(attachment))
      .map(({ value: attachment }) => ({
        name: fileNameOf(attachment),
        base64: attachment.data as string,
      })),
  };
}

/** Whether a file is in the document itself; what is no text is as good as none. */
const hasContent = ({ data }: Json) => typeof data === 'string';
const addressOf = ({ downloadLink, fileURL, url }: Json) => textOf(downloadLink ?? fileURL ?? url);
const fileNameOf = ({ filename, fileName, name }: Json) => textOf(filename ?? fileName ?? name);

/** `/` separates folders; one that is part of a name has a backslash before it. */
const foldersIn = (path: string) =>
  [...path.matchAll(/((?:\\.|[^\\/])+)/gs)].map(([part]) => part.replace(/\\([\\/])/g, '$1'));

/** The path of folders, as `foldersIn` reads it. */
export const folderPath = (names: readonly string[]) =>
  names.map((name) => `/${name.replace(/[\\/]/g, '\\$&')}`).join('');

/** Facts of ours that Jira has no field for: each is a part of the description, below a heading of its own. */
export const describedFacts = [
  'Type',
  'Status',
  'Pre-conditions',
  'Test Data',
  'Steps to Reproduce',
  'Expected Result',
] as const satisfies readonly (keyof ForeignFacts)[];

const headingMark = 'h3. ';

/** A description with further facts below it. */
export function joinDescription(text: string, facts: ForeignFacts): string {
  const escapeHeadings = (lines: string) => lines.replace(/^(\\*)h3\. /gm, `\\$1${headingMark}`);
  const parts = describedFacts.flatMap((name) =>
    facts[name] ? [`${headingMark}${name}\n${escapeHeadings(facts[name])}`] : [],
  );
  return [...(text === '' ? [] : [escapeHeadings(text)]), ...parts].join('\n\n');
}

function splitDescription(fullText: string): { text: string; parts: ForeignFacts } {
  const unquoted = (text: string) => text.replace(/^\\(\\*h3\. )/gm, '$1').trim();
  const [text = '', ...rest] = fullText.split(new RegExp(`^${headingMark}(${describedFacts.join('|')})$`, 'm'));
  const parts: Record<string, string> = {};
  for (let index = 0; index < rest.length; index += 2) parts[itemAt(rest, index)] = unquoted(rest[index + 1] ?? '');
  return { text: unquoted(text), parts };
}
