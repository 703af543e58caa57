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

const step = (row: number, action: string, expected = '', data = '') => ({
  row,
  ...(action && { 'Steps: Action': action }),
  ...(data && { 'Steps: Data': data }),
  ...(expected && { 'Steps: Expected': expected }),
});

const documents: [file: string, rows: object[]][] = [
  [
    'testrail-steps.xml',
    [
      {
        ...step(11, 'Open the cart', 'The total is shown'),
        'TestRail ID': 'C101',
        Title: 'Pay by card',
        Module: 'Checkout',
        Type: 'Smoke & Sanity',
        Priority: 'Critical',
        'Pre-conditions': 'A cart with one article\nA valid card',
        References: 'SHOP-12',
        Estimate: '5m',
      },
      step(29, 'Pay', 'A receipt <PDF> is offered', '4242 4242 4242 4242'),
      {
        ...step(44, 'Refund 5 €'),
        'TestRail ID': 'C102',
        Title: 'Refund in part',
        Module: 'Checkout',
        'Sub Module': 'Refunds',
        Type: 'Regression',
        Priority: 'Low',
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
      },
      { row: 3, Title: 'Sign out', Module: 'Account', Type: 'Other', Priority: 'Low' },
    ],
  ],
  [
    'testrail-exploratory.xml',
    [
      {
        ...step(14, 'Enter 30 February', 'A message names the field'),
        'TestRail ID': 'C900',
        Title: 'Filter by dates that do not exist',
        Module: 'Search',
        'Sub Module': 'Filters / Dates',
        Type: 'Usability',
        Priority: 'Medium',
        Status: 'Design',
        Description: 'Find dates that break filters\n29 February',
      },
    ],
  ],
  [
    'testlink-suite.xml',
    [
      {
        ...step(8, 'Fill the cart'),
        'TestLink ID': 'SH-3',
        Title: 'Place an order',
        Module: 'Orders',
        Priority: 'High',
        Status: 'Final',
        Description: 'An order of two articles',
        'Pre-conditions': 'Signed in\nTwo articles & a cart',
        Estimate: '2.50',
        Labels: 'smoke',
      },
      step(21, 'Press Order', 'A number is shown'),
      {
        row: 37,
        'TestLink ID': '13',
        Title: 'Choose a date',
        Module: 'Orders',
        'Sub Module': 'Delivery',
        Priority: 'Low',
        Status: 'Draft',
      },
    ],
  ],
  [
    'testlink-cases.xml',
    [
      {
        ...step(3, 'Press Print', 'It is printed'),
        'TestLink ID': '8',
        Title: 'Print a label',
        Priority: 'Medium',
        Status: 'Obsolete',
        Description: 'A label for a parcel',
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
        Description: 'Counting',
        'Steps to Reproduce': 'Open the list\nCount',
        'Expected Result': 'The numbers are equal',
      },
    ],
  ],
  [
    'zephyr-steps.xml',
    [
      {
        ...step(10, 'Touch the sensor', 'The home page opens', 'Right thumb'),
        'Zephyr Key': 'MOB-T1',
        Title: 'Sign in by finger',
        Module: 'Mobile',
        'Sub Module': 'Login',
        Priority: 'High',
        Status: 'Approved',
        Description: 'To sign in fast',
        'Pre-conditions': 'A finger is known\nThe phone is locked',
        References: 'MOB-9',
        Labels: 'smoke',
        'Owner Key': 'JIRAUSER10100',
        Attachments: 'screen.png',
      },
      step(31, 'Call MOB-T7'),
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
        'Steps to Reproduce': 'Given no network\nWhen the app starts\nThen it says so',
      },
    ],
  ],
  [
    'xray-bulk.json',
    [
      {
        ...step(2, 'Press Export', 'A file is offered', 'March'),
        Title: 'Export a report',
        Module: 'Reports',
        'Sub Module': 'Files',
        Priority: 'Highest',
        Description: 'As a file',
        Labels: 'report, file',
      },
      step(13, 'Open it', 'It has 31 days'),
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
        ...step(1, 'Open the chart', 'Bars are shown'),
        'Xray Key': 'REP-4',
        Title: 'Show a chart',
        Module: 'Reports',
        'Sub Module': 'Charts / Bars',
        Priority: 'Medium',
        'Assigned To': 'owner@demo.test',
        'Pre-conditions': 'A report exists',
      },
    ],
  ],
  [
    'xray-server.json',
    [
      {
        ...step(2, 'Press Print', 'It is printed'),
        'Xray Key': 'REP-9',
        Title: 'Print a report',
        Priority: 'Lowest',
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
        'Steps to Reproduce': 'Given a booking\nWhen it is cancelled',
      },
      {
        ...step(26, 'Choose a room', 'It is chosen', 'Room 7'),
        'Qase ID': '7',
        Title: 'Book a room',
        Module: 'Booking',
        Type: 'functional',
        Priority: 'high',
        Status: 'actual',
        Description: '**Two** nights',
        'Pre-conditions': 'A free room',
        Labels: 'booking',
      },
      step(50, 'Look at its pictures'),
      step(52, 'Book it', 'A number is shown'),
    ],
  ],
  [
    'qase-flat.json',
    [
      {
        ...step(1, 'Press Send', 'It is sent'),
        'Qase ID': '1',
        Title: 'Send an invoice',
        Module: 'Payment',
        'Sub Module': 'Invoices',
        Type: 'other',
        Priority: 'undefined',
        Status: 'draft',
      },
      {
        row: 2,
        'Qase ID': '2',
        Title: 'Pay an invoice',
        Module: 'Payment',
        'Sub Module': 'Invoices',
        Type: 'smoke',
        Priority: 'medium',
      },
    ],
  ],
  [
    'qase-interface.json',
    [
      {
        ...step(8, 'Choose 5', 'Thanks'),
        'Qase ID': '31',
        Title: 'Rate a stay',
        Type: 'Regression',
        Priority: 'High',
        Status: 'Actual',
        Description: 'Five stars',
        Labels: 'rating',
        Attachments: 'stars.png',
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
  const lines = 'Attachment: stars.png https://files.test/stars.png\nAttachment: https://files.test/2';
  const first = rowsOf(await read(qase('Five stars')));
  expect(first).toMatchObject([
    { Description: `Five stars\n${lines}`, 'Attachments (Links in Description)': 'stars.png, https://files.test/2' },
  ]);
  // What was imported and exported again does not get them twice.
  expect(rowsOf(await read(qase(`Five stars\n${lines}`)))).toEqual(first);
  const zephyr = `<project><testCases><testCase key="Z-1"><name>Rate</name><attachments><attachment><name>a.png</name>
    <url>https://jira.test/a.png</url></attachment></attachments></testCase></testCases></project>`;
  expect(rowsOf(await read(zephyr))).toMatchObject([{ Description: 'Attachment: a.png https://jira.test/a.png' }]);
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

describe('a bad file is refused by its line', () => {
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

describe('what leaves comes back without a difference', () => {
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
