import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SheetRow } from '../../../src/engine/imports/join-rows';
import { qaseJson, testRailCsv, xrayJson, type LeavingCase } from '../../../src/product/exports/test-case-formats';
import { readJsonDocument } from '../../../src/product/imports/json-documents';
import { rewriteSpreadsheet } from '../../../src/product/imports/spreadsheets';
import { readXmlDocument } from '../../../src/product/imports/xml-documents';
import { documentKindOf } from '../../../src/server/imports/reading/file-reader';
import { readCsv } from '../../../src/server/imports/reading/csv-text';

type Sheet = readonly SheetRow[] | undefined;

/** The rows of a file, headings first, as the thread of imports reads it. */
async function read(text: string): Promise<Sheet> {
  const kind = documentKindOf(text);
  if (kind === 'xml') return readXmlDocument(text);
  if (kind === 'json') return readJsonDocument(text);
  const file = rewriteSpreadsheet(readCsv(Buffer.from(text)));
  return [{ number: 1, cells: file.headings }, ...file.rows];
}
const fixture = (name: string) => readFileSync(new URL(`formats/${name}`, import.meta.url), 'utf8');

/** Filled cells by heading, with the number of the row. */
const rowsOf = (sheet: Sheet) => {
  const [headings, ...rows] = sheet!;
  return rows.map(({ number, cells }) => ({
    row: number,
    ...Object.fromEntries(
      headings!.cells.flatMap((heading, index) => (cells[index]?.trim() ? [[heading, cells[index].trim()]] : [])),
    ),
  }));
};

const documents: [file: string, rows: object[]][] = [
  [
    'testrail-steps.xml',
    [
      {
        row: 11,
        'TestRail ID': 'C101',
        Title: 'Pay by card',
        Module: 'Checkout',
        Type: 'Smoke & Sanity',
        Priority: 'Critical',
        Description: 'Section “Checkout”: All that is paid\nTestRail ID: C101\nReferences: SHOP-12',
        'Pre-conditions': 'A cart with one article\nA valid card',
        Estimate: '5m',
        Template: 'Test Case (Steps)',
        'Steps: Action': 'Open the cart',
        'Steps: Expected': 'The total is shown',
      },
      {
        row: 29,
        'Steps: Action': 'Pay',
        'Steps: Data': '4242 4242 4242 4242',
        'Steps: Expected': 'A receipt <PDF> is offered',
      },
      {
        row: 44,
        'TestRail ID': 'C102',
        Title: 'Refund in part',
        Module: 'Checkout',
        'Sub Module': 'Refunds',
        Type: 'Regression',
        Priority: 'Low',
        Description: 'Section “Checkout”: All that is paid\nTestRail ID: C102',
        Template: 'Test Case (Steps)',
        'Steps: Action': 'Refund 5 €',
      },
    ],
  ],
  [
    'testrail-text.xml',
    [
      {
        row: 2,
        Title: 'Sign in with a password',
        Module: 'Account',
        Type: 'Functional',
        Priority: 'High',
        'Pre-conditions': 'A user exists',
        'Steps to Reproduce': '1. Open the page\n2. Enter the password',
        'Expected Result': 'The dashboard opens',
        Template: 'Test Case (Text)',
      },
      { row: 3, Title: 'Sign out', Module: 'Account', Type: 'Other', Priority: 'Low' },
    ],
  ],
  [
    'testrail-exploratory.xml',
    [
      {
        row: 14,
        'TestRail ID': 'C900',
        Title: 'Filter by dates that do not exist',
        Module: 'Search',
        'Sub Module': 'Filters / Dates',
        Type: 'Usability',
        Priority: 'Medium',
        Status: 'Design',
        Description: 'Find dates that break filters\n29 February\nTestRail ID: C900',
        Template: 'Exploratory Session',
        'Steps: Action': 'Enter 30 February',
        'Steps: Expected': 'A message names the field',
      },
    ],
  ],
  [
    'testlink-suite.xml',
    [
      {
        row: 8,
        'TestLink ID': 'SH-3',
        Title: 'Place an order',
        Module: 'Orders',
        Priority: 'High',
        Status: 'Final',
        Description:
          'An order of two articles\nSection “Orders”: Everything about orders\nTestLink ID: SH-3\nKeywords: smoke',
        'Pre-conditions': 'Signed in\nTwo articles & a cart',
        Estimate: '2.50',
        'Steps: Action': 'Fill the cart',
      },
      { row: 21, 'Steps: Action': 'Press Order', 'Steps: Expected': 'A number is shown' },
      {
        row: 37,
        'TestLink ID': '13',
        Title: 'Choose a date',
        Module: 'Orders',
        'Sub Module': 'Delivery',
        Priority: 'Low',
        Status: 'Draft',
        Description: 'Section “Orders”: Everything about orders\nTestLink ID: 13',
      },
    ],
  ],
  [
    'testlink-cases.xml',
    [
      {
        row: 3,
        'TestLink ID': '8',
        Title: 'Print a label',
        Priority: 'Medium',
        Status: 'Obsolete',
        Description: 'A label for a parcel\nTestLink ID: 8',
        'Steps: Action': 'Press Print',
        'Steps: Expected': 'It is printed',
      },
    ],
  ],
  [
    'testlink-old.xml',
    [
      {
        row: 1,
        'TestLink ID': '5',
        Title: 'Count the stock',
        Module: 'Stock',
        Description: 'Counting\nTestLink ID: 5',
        'Steps to Reproduce': 'Open the list\nCount',
        'Expected Result': 'The numbers are equal',
      },
    ],
  ],
  [
    'zephyr-steps.xml',
    [
      {
        row: 10,
        'Zephyr Key': 'MOB-T1',
        Title: 'Sign in by finger',
        Module: 'Mobile',
        'Sub Module': 'Login',
        Priority: 'High',
        Status: 'Approved',
        Description: 'To sign in fast\nZephyr Key: MOB-T1\nReferences: MOB-9\nLabels: smoke',
        'Pre-conditions': 'A finger is known\nThe phone is locked',
        'Owner Key': 'JIRAUSER10100',
        Attachments: 'screen.png',
        'Created By': 'ann',
        'Steps: Action': 'Touch the sensor',
        'Steps: Data': 'Right thumb',
        'Steps: Expected': 'The home page opens',
      },
      { row: 31, 'Steps: Action': 'Call MOB-T7' },
    ],
  ],
  [
    'zephyr-plain.xml',
    [
      {
        row: 1,
        Title: 'Turn the phone',
        Module: 'Mobile',
        Priority: 'Normal',
        Status: 'Draft',
        'Steps to Reproduce': 'Turn it\nTurn it back',
      },
    ],
  ],
  [
    'zephyr-list.xml',
    [
      {
        row: 3,
        'Zephyr Key': 'MOB-T20',
        Title: 'Works without a network',
        Priority: 'Low',
        Status: 'Deprecated',
        Description: 'Zephyr Key: MOB-T20',
        'Steps to Reproduce': 'Given no network\nWhen the app starts\nThen it says so',
      },
    ],
  ],
  [
    'xray-bulk.json',
    [
      {
        row: 2,
        Title: 'Export a report',
        Module: 'Reports',
        'Sub Module': 'Files',
        Priority: 'Highest',
        Description: 'As a file\nLabels: report, file',
        'Steps: Action': 'Press Export',
        'Steps: Data': 'March',
        'Steps: Expected': 'A file is offered',
      },
      { row: 13, 'Steps: Action': 'Open it', 'Steps: Expected': 'It has 31 days' },
      {
        row: 17,
        Title: 'Export nothing',
        Module: 'Reports',
        'Steps to Reproduce': 'Given an empty report\nWhen it is exported\nThen it says so',
      },
      { row: 23, Title: 'Export from a script', 'Steps to Reproduce': 'com.example.ExportTest' },
    ],
  ],
  [
    'xray-query.json',
    [
      {
        row: 1,
        'Xray Key': 'REP-4',
        Title: 'Show a chart',
        Module: 'Reports',
        'Sub Module': 'Charts / Bars',
        Priority: 'Medium',
        'Assigned To': 'owner@demo.test',
        Description: 'Xray Key: REP-4',
        'Pre-conditions': 'A report exists',
        'Steps: Action': 'Open the chart',
        'Steps: Expected': 'Bars are shown',
      },
    ],
  ],
  [
    'xray-server.json',
    [
      {
        row: 2,
        'Xray Key': 'REP-9',
        Title: 'Print a report',
        Priority: 'Lowest',
        Description: 'Xray Key: REP-9',
        'Steps: Action': 'Press Print',
        'Steps: Expected': 'It is printed',
      },
    ],
  ],
  [
    'qase-tree.json',
    [
      {
        row: 13,
        'Qase ID': '8',
        Title: 'Cancel a booking',
        Module: 'Booking',
        'Sub Module': 'Rooms',
        Type: 'regression',
        Priority: 'low',
        Status: 'deprecated',
        Description: 'Qase ID: 8',
        'Steps to Reproduce': 'Given a booking\nWhen it is cancelled',
      },
      {
        row: 26,
        'Qase ID': '7',
        Title: 'Book a room',
        Module: 'Booking',
        Type: 'functional',
        Priority: 'high',
        Status: 'actual',
        Description: '**Two** nights\nQase ID: 7\nLabels: booking',
        'Pre-conditions': 'A free room',
        Severity: 'normal',
        Behavior: 'positive',
        Automation: 'is-not-automated',
        'Is flaky': 'no',
        Layer: 'e2e',
        'Steps: Action': 'Choose a room',
        'Steps: Data': 'Room 7',
        'Steps: Expected': 'It is chosen',
      },
      { row: 50, 'Steps: Action': 'Look at its pictures' },
      { row: 52, 'Steps: Action': 'Book it', 'Steps: Expected': 'A number is shown' },
    ],
  ],
  [
    'qase-flat.json',
    [
      {
        row: 1,
        'Qase ID': '1',
        Title: 'Send an invoice',
        Module: 'Payment',
        'Sub Module': 'Invoices',
        Type: 'other',
        Priority: 'undefined',
        Status: 'draft',
        Description: 'Qase ID: 1',
        'Steps: Action': 'Press Send',
        'Steps: Expected': 'It is sent',
      },
      {
        row: 2,
        'Qase ID': '2',
        Title: 'Pay an invoice',
        Module: 'Payment',
        'Sub Module': 'Invoices',
        Type: 'smoke',
        Priority: 'medium',
        Description: 'Qase ID: 2',
      },
    ],
  ],
  [
    'qase-interface.json',
    [
      {
        row: 8,
        'Qase ID': '31',
        Title: 'Rate a stay',
        Type: 'Regression',
        Priority: 'High',
        Status: 'Actual',
        Description: 'Five stars\nQase ID: 31\nLabels: rating',
        Attachments: 'stars.png',
        Severity: '4',
        'Steps: Action': 'Choose 5',
        'Steps: Expected': 'Thanks',
      },
    ],
  ],
];

test.each(documents)('%s is read', async (file, rows) => {
  expect(rowsOf(await read(fixture(file)))).toEqual(rows);
});

test('addresses of files are kept as text, once, and never fetched; other addresses are not', async () => {
  const attachments = [
    { filename: 'stars.png', url: 'https://files.test/stars.png' },
    { filename: 'evil.js', url: 'javascript:alert(1)' },
    { filename: 'local', url: 'file:///etc/passwd' },
  ];
  const qase = (description: string) =>
    JSON.stringify({
      suites: [
        {
          id: 1,
          title: 'Payment',
          cases: [
            {
              id: 1,
              title: 'Rate',
              description,
              attachments,
              steps: [{ action: 'Choose 5', attachments: [{ filename: '', url: 'https://files.test/2' }] }],
            },
          ],
        },
      ],
    });
  const lines = 'Qase ID: 1\nAttachment: stars.png https://files.test/stars.png\nAttachment: https://files.test/2';
  const first = rowsOf(await read(qase('Five stars')));
  expect(first).toMatchObject([
    { Description: `Five stars\n${lines}`, 'Attachments (Links in Description)': 'stars.png, https://files.test/2' },
  ]);
  // What was imported and exported again does not get them twice.
  expect(rowsOf(await read(qase(`Five stars\n${lines}`)))).toEqual(first);
  const zephyr = `<project><testCases><testCase key="Z-1"><name>Rate</name><attachments><attachment><name>a.png</name>
    <url>https://jira.test/a.png</url></attachment></attachments></testCase></testCases></project>`;
  expect(rowsOf(await read(zephyr))).toMatchObject([
    { Description: 'Zephyr Key: Z-1\nAttachment: a.png https://jira.test/a.png' },
  ]);
  const xray = JSON.stringify([
    {
      testtype: 'Manual',
      fields: { summary: 'Rate' },
      steps: [{ action: 'Open', attachments: [{ filename: 'b.png', downloadLink: 'https://xray.test/b.png' }] }],
    },
  ]);
  expect(rowsOf(await read(xray))).toMatchObject([{ Description: 'Attachment: b.png https://xray.test/b.png' }]);
});

const sheets: [file: string, rows: object[]][] = [
  [
    'testrail-rows.csv',
    [
      { row: 2, Module: 'Cart', 'Steps (Step)': 'Press Add', 'Steps (Expected Result)': 'It is in the cart' },
      { row: 3, 'Steps (Step)': 'Press Add again', 'Steps (Additional Info)': 'Twice' },
      { row: 4, Module: 'Cart', 'Sub Module': 'Totals', 'Steps (Step)': 'Press Empty' },
    ],
  ],
  [
    'testrail-numbered.csv',
    [
      { row: 2, Module: 'Account', 'Sub Module': 'Profile', 'Steps (Step)': 'Open the profile' },
      { row: 2, 'Steps (Step)': 'Choose French\nand save', 'Steps (Expected Result)': 'The page is French' },
      { row: 3, 'Steps (Step)': 'Press Delete', 'Steps (Expected Result)': 'The account is gone' },
    ],
  ],
  ['testrail-text.csv', [{ row: 2, Module: 'Help', Steps: '1. Open the help\r\n2. Read' }]],
  [
    'qase-classic.csv',
    [
      { suite: 'Garden', Module: 'Garden' },
      { suite: 'Trees', Module: 'Garden', 'Sub Module': 'Trees' },
      { title: 'Plant a tree', Module: 'Garden', 'Sub Module': 'Trees', steps_actions: 'Put the tree into the "hole"' },
      { steps_actions: 'Water it\nwell', steps_result: 'The ground is wet', steps_data: '10 l' },
      { title: 'Cut the lawn', Module: 'Garden' },
    ],
  ],
  [
    'qase-gherkin.csv',
    [
      { title: 'Open the gate', Module: 'Gate', steps_actions: 'Given a gate' },
      { steps_actions: 'When it is opened' },
      { steps_actions: 'Then it is open' },
    ],
  ],
  [
    'qase-semicolon.csv',
    [{ title: 'Feed the fish', Module: 'Pond', steps_actions: 'Feed them', steps_result: 'They eat' }],
  ],
];

test.each(sheets)('%s is read', async (file, rows) => {
  const found = rowsOf(await read(fixture(file)));
  expect(found).toHaveLength(rows.length);
  expect(found).toMatchObject(rows);
});

describe('an invalid file is refused with the line of its fault', () => {
  const bad: [name: string, text: string, message: string][] = [
    ['a document that ends early', '<suite>\n<sections>\n<section>', 'Line 3: This is not well-formed XML'],
    [
      'entities',
      '<!DOCTYPE a [\n<!ENTITY b "c">\n<!ENTITY d "&b;&b;">]>\n<suite>&d;</suite>',
      'Line 3: The document declares entities',
    ],
    [
      'an external entity',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><suite>&b;</suite>',
      'declares entities',
    ],
    ['elements within elements', `<suite>${'<section>'.repeat(300)}`, 'nested deeper than 200 levels'],
    [
      'a case without a title',
      '<suite>\n<cases>\n<case>\n<id>C1</id></case></cases></suite>',
      'Line 3: a test case has no title',
    ],
    ['no case', '<testsuite name="A"></testsuite>', 'The file has no test case.'],
    ['JSON that ends early', '{"suites": [\n{"title": ', 'Line 2: This is not valid JSON'],
    ['a test without a summary', '[\n{"testtype": "Manual", "fields": {}}]', 'Line 2: a test case has no title'],
    ['lists within lists', `{"suites": ${'['.repeat(50_000)}`, 'nested too deeply: at most 200 levels'],
  ];
  test.each(bad)('%s', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
  test.each(['<html2><a/></html2>', '{"a": 1}', '[{"a": 1}]'])('%s is of no format', async (text) => {
    expect(await read(text)).toBeUndefined();
  });
});

// Text as fields store it: no white space around it, and lines that end with a line feed.
const sign = fc.constantFrom(
  ...'ab <>&/\\"\'=+-@.,;:#|\n123',
  'é',
  '😀',
  'h3. ',
  '1. ',
  '\\h3. Type',
  ' > ',
  '"; "',
  '<p>',
  '&amp;',
);
const text = (most = 30) =>
  fc.array(sign, { maxLength: most }).map((signs) =>
    signs
      .join('')
      .replace(/[ \n]+$/gm, '')
      .trim(),
  );
const word = text(12)
  .map((one) => one.replaceAll('\n', ' '))
  .filter((one) => one !== '');
const facts = fc.record({
  Type: fc.constantFrom('Functional', 'API', ''),
  Priority: fc.constantFrom('Urgent', 'High', 'Medium', 'Low', ''),
  Status: fc.constantFrom('Unassigned', 'Closed', ''),
  Description: text(),
  'Pre-conditions': text(),
  'Test Data': text(),
  'Steps to Reproduce': text(),
  'Expected Result': text(),
});
const leaving: fc.Arbitrary<LeavingCase> = fc.record({
  key: fc.constantFrom('TC-1', 'TC-22'),
  title: word,
  sections: fc.array(word, { maxLength: 2 }),
  facts,
  steps: fc
    .array(fc.record({ action: text(), data: text(), expected: text() }), { maxLength: 3 })
    .map((steps) => steps.filter(({ action }) => action !== '')),
});

/** What a read file says, by our own words; `words` are those of the other program. */
function cameBack(sheet: Sheet, names: Readonly<Record<string, string>>, words: Readonly<Record<string, string>>) {
  const cases: { title: string; sections: string[]; facts: Record<string, string>; steps: object[] }[] = [];
  for (const row of rowsOf(sheet) as unknown as Record<string, string>[]) {
    const said = (heading: string) => row[names[heading] ?? heading] ?? '';
    if (said('Title') !== '')
      cases.push({
        title: said('Title'),
        sections: [said('Module'), said('Sub Module')].filter((name) => name !== ''),
        facts: Object.fromEntries(
          [
            'Type',
            'Priority',
            'Status',
            'Description',
            'Pre-conditions',
            'Test Data',
            'Steps to Reproduce',
            'Expected Result',
          ].map((heading) => [heading, words[said(heading)] ?? said(heading)]),
        ),
        steps: [],
      });
    const [action, data, expected] = ['Steps: Action', 'Steps: Data', 'Steps: Expected'].map(said);
    if (action || data || expected) cases.at(-1)!.steps.push({ action, data, expected });
  }
  return cases;
}

const testRailNames = {
  'Pre-conditions': 'Preconditions',
  'Steps: Action': 'Steps (Step)',
  'Steps: Data': 'Steps (Additional Info)',
  'Steps: Expected': 'Steps (Expected Result)',
};

describe('an exported file is imported again without a difference', () => {
  const forms = [
    ['TestRail', testRailCsv, testRailNames, { Critical: 'Urgent' }],
    ['Qase', qaseJson, {}, {}],
    ['Xray', xrayJson, {}, { Highest: 'Urgent' }],
  ] as const;
  test.each(forms)('%s', async (_, open, names, words) => {
    await fc.assert(
      fc.asyncProperty(fc.array(leaving, { minLength: 1, maxLength: 4 }), async (cases) => {
        const writer = open();
        const file = writer.write(cases.slice(0, 2)) + writer.write(cases.slice(2)) + writer.end();
        const expected = cases.map(({ title, sections, facts: own, steps }) => ({
          title,
          sections,
          facts: own,
          steps,
        }));
        const found = cameBack(await read(file), names, words);
        // Qase groups by suite.
        const inOrder = (all: object[]) => all.map((one) => JSON.stringify(one)).sort();
        expect(inOrder(found)).toEqual(inOrder(expected));
      }),
      { numRuns: 150 },
    );
  });
});
