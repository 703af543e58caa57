import {
  choice,
  union,
  exactly,
  file,
  flag,
  list,
  number,
  part,
  record,
  recordValue,
  template,
  text,
  type ValueOf,
} from './key';
import { condition, fieldName, keyword, resourceName } from './names';

const sections = list(
  part({
    help: 'A section: name and purpose on the left, fields on the right.',
    required: ['label', 'fields'],
    keys: {
      label: text({ help: 'Its name.' }),
      description: text({ help: 'One sentence about its purpose.' }),
      fields: list(fieldName(), { minItems: 1, unique: true, help: 'Its fields in their order.' }),
      rail: flag({
        label: 'It stands beside the others',
        default: false,
        help: 'It stands in a rail at the right of the others, whose fields have the whole width then and the title large letters. In narrow windows it is folded in its place.',
      }),
      folded: flag({
        label: 'It is folded',
        default: false,
        help: 'It is folded until it is opened, a field has another value than in a new record, or one has a fault.',
      }),
      onDemand: list(fieldName(), {
        label: 'Fields behind a button',
        options: 'pageFields',
        unique: true,
        help: 'Fields of the section that are each behind a button until they have a value or a fault. Required fields cannot be among them.',
      }),
      alternatives: list(
        part({
          help: 'An alternative.',
          required: ['label', 'fields'],
          keys: {
            label: text({ help: 'The words of the button that leads to it, such as "Write as text".' }),
            fields: list(fieldName(), { minItems: 1, unique: true, help: 'Fields of the section.' }),
          },
        }),
        {
          minItems: 2,
          help: 'Fields of the section that say the same in different ways, such as steps and free text. Those with a value or a fault are shown, without any the first; a button leads to each of the others. Required fields cannot be among them.',
        },
      ),
    },
  }),
  {
    minItems: 1,
    identity: 'label',
    help: 'Sections from top to bottom. A field that no section names is not in the form.',
  },
);

const tabs = list(
  part({
    note: 'list',
    help: 'A tab.',
    required: ['name', 'label', 'resource', 'filter'],
    keys: {
      name: keyword({ label: 'Name in the URL', begin: 'tab-{n}', help: 'Its name in the address.' }),
      label: text({ label: 'Label', begin: 'Tab {n}', help: 'Its label; the number of records is shown beside it.' }),
      resource: resourceName({
        label: 'List of',
        help: 'The resource listed. Without the permission to list it there is no tab.',
      }),
      filter: record(recordValue({ onRemoval: 'removeHolder' }), {
        label: 'Which records',
        names: fieldName({ in: 'resource', onRemoval: 'removeHolder' }),
        isWhole: true,
        help: "Query names of that list and their values, which are the values of a record added there too; `$record.id` is the form's record.",
      }),
      values: record(recordValue(), {
        label: 'Further values of a record added there',
        names: fieldName({ in: 'resource' }),
        help: 'Further values of a record added there.',
      }),
      content: keyword({
        label: 'Content from code',
        help: 'Shown in place of the list: the name of a component that the product registers (`formTabs`). Without one of this name the list is shown.',
      }),
      visible: condition({ label: 'Visible when', help: 'Only if this matches. Default: always.' }),
      pageOnly: flag({
        label: 'On the page alone',
        help: "It is a tab of the record's page, which names it in `related`, and the form has none.",
        default: false,
      }),
    },
  }),
  {
    label: 'Tabs',
    entry: ['tab of the form', 'tabs of the form'],
    minItems: 1,
    identity: 'name',
    help: 'Tabs with lists of related records beside the form, once the record exists; the form itself is the first, "Details".',
  },
);

const redirects = list(
  part({
    title: 'to',
    help: 'A redirect.',
    required: ['to'],
    keys: {
      mode: choice(['create', 'edit', 'both'], {
        label: 'After',
        labels: { create: 'A record was added', edit: 'A record was changed' },
        fallback: 'Either',
        help: 'After which saving.',
        default: 'both',
      }),
      where: condition({
        label: 'Only if',
        onRemoval: 'removeHolder',
        help: 'Only if this matches. Default: always. `$actor.total…` are the counts in the sign-in response.',
      }),
      to: template({
        label: 'Goes to the page',
        options: 'pages',
        begin: '/',
        onRemoval: 'report',
        pattern: '^/',
        help: 'A path of the application; names of fields in braces stand for values of the record: `/orders/{id}`.',
      }),
    },
  }),
  {
    label: 'After saving',
    add: 'Add a page to go to',
    fallback: 'The list',
    help: 'Where to go after saving: the first entry with a matching condition, otherwise the list.',
  },
);

/** The form of a resource. */
export const form = file(
  'Form',
  part({
    help: 'The form of a record. Without it: one section with every field that can be written.',
    keys: {
      sections,
      dialog: union(
        [
          part({
            required: ['width'],
            keys: {
              width: union([number(), text({ minLength: 0 })], {
                label: 'Width',
                input: 'width',
                help: 'Pixels, or a share such as "90%".',
              }),
              side: flag({
                label: 'It is a panel at the side',
                help: 'It is a panel at the right side, beside the list. It stays open after a call of its record that shows a secret, which is above the form then; so also with `afterCreate` of such a call.',
                default: false,
              }),
            },
          }),
          exactly(false),
        ],
        {
          help: "The form is a dialog over its list, at the form's own address; `false`: a page. Default: a small form is a dialog 480 pixels wide, any other one a page. A form is small if it shows up to three inputs, none of a type that takes a whole row (such as text with lines, pictures, files, rows, many records or a tree), and nothing is beside it: no tabs, popup, requests, calls, comments or page.",
        },
      ),
      popup: part({
        label: 'Within another record’s tab, Add opens it in a popup',
        help: "Within another record's tab, its Add opens the form in a popup instead of leaving the page.",
        required: ['width'],
        keys: {
          width: union([number(), text({ minLength: 0 })], {
            label: 'Width of the popup',
            input: 'width',
            begin: 640,
            help: 'Pixels, or a share such as "90%".',
          }),
        },
      }),
      keep: list(fieldName(), {
        label: 'Values that stay for the next record',
        options: 'pageFields',
        unique: true,
        help: 'Fields whose values a new record takes over from the last one that the same person added in this browser, as far as they can still be chosen. The form has a second button then, which saves and begins the next record.',
      }),
      tabs,
      redirects,
    },
  }),
);

export type FormSource = ValueOf<typeof form>;
