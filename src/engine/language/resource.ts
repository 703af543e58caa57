import { actions, tones } from '../definitions/definition';
import type { AutomationSource } from './automation';
import { namedExports } from './export';
import type { FieldSource } from './field';
import type { FormSource } from './form';
import type { ImportSource } from './import';
import { choice, schemaRef, union, exactly, file, flag, list, number, part, record, template, text, pair } from './key';
import {
  condition,
  fieldName,
  hookName,
  iconName,
  identifier,
  keyword,
  levels,
  newFieldName,
  newResourceName,
  resourceName,
  relationName,
  refer,
  roles,
} from './names';
import type { ListSource } from './list';
import type { PageSource } from './page';
import type { ParameterSource } from './parameter';
import { print } from './print';
import { publicAccess } from './public';
import type { RequestSource } from './request';
import type { RuleSource } from './rule';

const titles = part({
  help: 'Titles of its pages and of the Add button, if the default ones do not fit.',
  keys: {
    list: text({
      label: 'List',
      help: 'Of the list; `{total}` is the number of records. Default: "{many} | Total Records: {total}".',
    }),
    create: template({ label: 'New record', help: 'Of the form for a new record. Default: "Add New {one}".' }),
    edit: template({ label: 'Editing a record', help: 'Of the form for a record. Default: "Edit {one}".' }),
    copy: template({ label: 'Copying a record', help: 'Of the form for a copy. Default: "Copy {one}".' }),
    view: template({ label: 'Viewing a record', help: 'Of the read-only form. Default: "{one}".' }),
    add: template({ label: 'Add button', help: 'Of the Add button. Default: "Add {one}".' }),
  },
});

const chip = part({
  label: 'Records are shown as chips',
  help: 'How its records show wherever they are named: in cells, cards, selects and filters. Default: plain text.',
  required: ['shape'],
  keys: {
    shape: choice(['dot', 'ring', 'mark', 'avatar'], {
      label: 'Shape',
      labels: { dot: 'A dot', ring: 'A ring that fills', mark: 'An icon', avatar: 'Initials' },
      help: 'dot: a tinted chip with a dot · ring: a progress ring with text · mark: an icon with text · avatar: initials.',
    }),
    tones: record(choice(tones), {
      label: 'Colours',
      input: 'chipMarks',
      applies: { shape: ['dot', 'ring', 'mark'] },
      names: text({ pattern: '^[0-9]+$' }),
      help: 'Colours by record id. Ids without one are neutral.',
    }),
    marks: record(union([number({ minimum: 0, maximum: 1 }), text({ minLength: 0 })]), {
      names: text({ pattern: '^[0-9]+$' }),
      help: 'By record id: for a ring how far it is (0 to 1, or "stopped"), for a mark the name of an icon.',
    }),
  },
});

const switcher = part({
  label: 'Everything can be narrowed to one of its records',
  word: 'switcher',
  help: 'Its records stand in a switcher above the menu. Choosing one narrows the lists, charts and search results of every resource that refers to it, by a relation or by a parameter whose `resource` it is, and fills that relation in new records. The settings show all. One resource can have it. Default: none.',
  onRemoval: 'leaveEmpty',
  examples: [
    {
      short: 'code',
      counts: [{ source: 'orders.customer_id', where: { state: 'open' }, one: 'open order', many: 'open orders' }],
    },
  ],
  keys: {
    short: fieldName({
      label: 'Short name',
      options: 'short',
      fallback: 'Initials of the title',
      help: 'The field with a few letters that stand for a record where there is no room for its title. Default: the initials of the title.',
    }),
    counts: list(
      part({
        title: 'many',
        help: 'A number of records that point here. They are counted when the switcher opens, among those that its reader may list.',
        required: ['source', 'one', 'many'],
        keys: {
          source: relationName('^[a-z][A-Za-z0-9-]*\\.[a-z][A-Za-z0-9_]*$', {
            label: 'The number of',
            options: 'rollups',
            onRemoval: 'report',
            help: 'The relation on the other side, as `resource.field`.',
            examples: ['orders.customer_id'],
          }),
          where: condition({
            label: 'Only of records where',
            in: 'source',
            onRemoval: 'report',
            help: 'Which of those records count. Default: all that are active.',
            examples: [{ state: 'open' }],
          }),
          one: text({ label: 'One is called', begin: 'record', help: 'The singular: "open order".' }),
          many: text({ label: 'Several are called', begin: 'records', help: 'The plural: "open orders".' }),
        },
      }),
      {
        label: 'Numbers of a record',
        add: 'Add a number',
        identity: 'many',
        help: 'What the switcher says below a title, such as how much is open there.',
        default: [],
      },
    ),
  },
});

const menu = union(
  [
    part({
      keys: {
        group: text({
          label: 'Group',
          minLength: 0,
          help: 'Its group in the menu; empty: without a heading, above or below the groups by its order.',
          default: 'Reference data',
        }),
        tabOf: text({
          label: 'Tab of',
          help: 'It is a tab of the entry of this name, which all that say so share; their screens show each other as tabs.',
        }),
        key: text({
          label: 'Key',
          pattern: '^[a-z]$',
          help: 'A letter: G and the letter open it, C and the letter add a record, which the menu *New* then offers.',
        }),
        settings: flag({
          label: 'In the settings',
          help: 'It is in the list of settings, under its group, instead of the side menu. Default: only without a `group`.',
        }),
        switcher,
        count: part({
          label: 'It says how much waits',
          word: 'count of the menu',
          help: 'The number beside the entry: how many of its records match, up to 99, of those that the reader may list, within the switcher. Default: none.',
          required: ['where', 'label'],
          keys: {
            where: condition({ label: 'Records where', onRemoval: 'removeHolder', help: 'Which records wait.' }),
            label: text({
              label: 'Says',
              begin: 'Open',
              help: 'What the number is of, in a tooltip: "Open tasks of yours".',
            }),
          },
          examples: [{ where: { state: 'open', assignee_id: '$actor.id' }, label: 'Open tasks of yours' }],
        }),
        alert: part({
          label: 'It warns',
          word: 'warning of the menu',
          help: 'A red dot beside the entry as long as a record matches, among those that the reader may list, within the switcher. Default: none.',
          required: ['resource', 'where', 'label'],
          keys: {
            resource: resourceName({ label: 'Records of', help: 'Of which resource.' }),
            among: condition({
              label: 'Among records where',
              in: 'resource',
              onRemoval: 'removeHolder',
              help: 'Which of its records are looked at. Default: all.',
            }),
            latestPer: fieldName({
              label: 'Only the newest of each',
              in: 'resource',
              options: 'relations',
              onRemoval: 'leaveEmpty',
              help: 'A relation of that resource: only the newest record of each related one is looked at. Default: every record.',
            }),
            where: condition({
              label: 'Records where',
              in: 'resource',
              onRemoval: 'removeHolder',
              help: 'Which of them it warns of.',
            }),
            label: text({
              label: 'Says',
              begin: 'Warning',
              help: 'What it warns of, for its tooltip and to be read out.',
            }),
          },
          examples: [{ resource: 'orders', where: { is_late: true }, label: 'An order is late' }],
        }),
        icon: iconName({ label: 'Icon', input: 'icon', help: 'The name of an icon.', default: 'tag' }),
        order: number({
          label: 'Order',
          help: 'Smaller is higher; groups are in the order of their first entry.',
          default: 100,
        }),
      },
    }),
    exactly(false),
  ],
  { label: 'Show in the side menu', help: 'Its entry in the side menu or the settings; `false`: none.' },
);

const copy = part({
  label: 'Records can be copied',
  onRemoval: 'leaveEmpty',
  help: 'Records can be made from others: the row action `copy`, and the form at `{name}/create/{id}`.',
  keys: {
    suffix: text({
      label: 'Appended to the copy’s title',
      minLength: 0,
      help: 'Appended to the text of `field`.',
      default: ' - Copy',
    }),
    field: fieldName({
      label: 'Appended to the field',
      options: 'copyTexts',
      help: "The field that gets the suffix. Default: the field that the record's title is read from.",
    }),
    originalField: fieldName({
      label: 'The copy refers to its original by',
      word: 'reference to the original',
      options: 'selfRelations',
      help: 'A relation to its own resource that refers to the original. It is sent with the new record and is not in the form.',
    }),
    resetFields: list(fieldName(), {
      label: 'Fields that are not copied',
      options: 'own',
      unique: true,
      help: 'Fields that are not copied, but reset to their default: what happened to the original did not happen to the copy.',
      default: [],
    }),
  },
});

const exportSettings = union(
  [
    flag(),
    part({
      onRemoval: 'leaveEmpty',
      keys: {
        path: newResourceName({
          label: 'Path in the API',
          maxLength: undefined,
          help: "Its path in the API. Default: the resource's name with `-export`.",
        }),
        file: text({
          label: 'File name',
          pattern: '^[A-Za-z0-9_-]+\\.xlsx$',
          help: "The file name. Default: the resource's name with `_` for `-`, and `.xlsx`.",
        }),
        button: flag({
          label: 'The list has a button for it',
          help: 'The list has a button "Download Excel". Without it, downloads are behind `…` in the toolbar.',
          default: false,
        }),
        columns: list(refer(text({ minLength: 0 }), 'path'), {
          label: 'Columns in any case',
          unique: true,
          help: 'Columns of the list, and other fields, that the file has in any case, besides the columns that are shown.',
          default: [],
        }),
        formats: record(text({ label: 'Label of {key}', begin: '{key}' }), {
          label: 'Formats',
          add: 'New format',
          names: keyword(),
          help: 'Forms besides spreadsheets that code of the product writes, such as those that another program imports: `?format={name}`, offered in the list under this label.',
          default: {},
        }),
      },
    }),
  ],
  {
    label: 'Records can be downloaded',
    help: 'Users who can list records can download them as a spreadsheet.',
    default: true,
  },
);

const deletion = part({
  help: 'The confirmation and the behaviour of deleting.',
  keys: {
    confirm: text({ label: 'Question', help: 'The question.', default: 'Are you sure you want to delete?' }),
    confirmations: list(
      part({
        title: 'confirm',
        help: 'A question for some records.',
        required: ['where', 'confirm'],
        keys: {
          where: condition({ label: 'For records where', help: 'Which records.' }),
          confirm: text({ label: 'Question', begin: 'Are you sure you want to delete?', help: 'The question.' }),
        },
      }),
      {
        label: 'Other questions',
        entry: ['confirmation before deleting', 'confirmations before deleting'],
        help: 'Other confirmations for some records: the first with a matching condition.',
      },
    ),
    keep: flag({
      label: 'Keep deleted records so that other records still show their names',
      help: 'A deleted record leaves lists and lookups, but stays stored for the names that others show. The question before says what is assigned to it, by relations to one record that people choose, and offers to hand that over.',
      default: false,
    }),
  },
});

const archive = union(
  [
    flag(),
    part({
      onRemoval: 'leaveEmpty',
      keys: {
        confirmRestore: text({
          label: 'Question before restoring',
          help: 'The question before taking back. Default: "Are you sure you want to Unarchive this {one}?".',
        }),
        cascade: list(relationName('^[a-z][a-z0-9-]*\\.[a-z][A-Za-z0-9_]*$'), {
          label: 'Archived and restored with it',
          unique: true,
          help: 'Relations (`resource.field`) whose records are archived and unarchived together with it.',
          default: [],
        }),
      },
    }),
  ],
  {
    label: 'Archived instead of deleted',
    help: 'Records are archived instead of removed, and can be taken back.',
    default: false,
  },
);

const grantedActions = (help: string) =>
  union([choice(['all', 'read', 'none']), list(choice(actions), { unique: true })], { help });

const grants = part({
  help: 'The grants of the roles when the module is new, by level: "all", "read" (list and view), "none", or a list of actions. Default: levels 1 to 3 all, 4 to 6 none.',
  keys: {
    '1': grantedActions('Administrators of the installation: always everything.'),
    '2': grantedActions('Owners of a company.'),
    '3': grantedActions('Managers.'),
    '4': grantedActions('Developers.'),
    '5': grantedActions('Testers (QA).'),
    '6': grantedActions('External users.'),
  },
});

const hooks = part({
  help: 'Server code, by name, for what a definition cannot express.',
  keys: {
    beforeValidate: list(hookName(), { unique: true, help: 'Before values are checked.' }),
    beforeSave: list(hookName(), { unique: true, help: 'Before a checked record is stored.' }),
    afterSave: list(hookName(), { unique: true, help: 'After a record was stored, in the same transaction.' }),
    beforeDelete: list(hookName(), { unique: true, help: 'Before a record is deleted or archived.' }),
    afterDelete: list(hookName(), {
      unique: true,
      help: 'After a record was deleted or archived, in the same transaction.',
    }),
    afterRead: list(hookName(), { unique: true, help: 'Before records are returned.' }),
  },
});

const validate = list(
  part({
    title: 'message',
    note: 'field',
    help: 'One rule. It is checked if one of the fields that it names has changed.',
    required: ['condition', 'field', 'message'],
    keys: {
      condition: condition({
        label: 'Must hold',
        onRemoval: 'removeHolder',
        help: 'The condition that the record must match.',
      }),
      where: condition({
        label: 'Only of records where',
        onRemoval: 'removeHolder',
        help: 'Only records that match are checked. Default: all.',
      }),
      field: fieldName({ label: 'Message at', help: 'The field that shows the message.' }),
      message: text({
        label: 'Message',
        begin: 'This does not fit together.',
        help: 'What the user reads: what is wrong and what to do.',
      }),
    },
  }),
  {
    label: 'Rules of a record',
    entry: ['validation rule', 'validation rules'],
    add: 'Add a rule of a record',
    fallback: 'None besides those of the fields',
    help: 'What must hold of a record whenever it is stored, also when only other fields change, besides the rules of single fields: in forms, through the API, in imports and on boards. A record that breaks a newer rule can be stored again once that is corrected. Conditions compare values of the record, also computed ones, its rows and related records, the user and the day.',
    examples: [
      [
        {
          condition: { amount: { $gt: 0 } },
          where: { stage: 'won' },
          field: 'amount',
          message: 'A won deal needs an amount.',
        },
      ],
    ],
  },
);

const unique = list(
  union(
    [
      list(fieldName({ onRemoval: 'removeHolder' }), { minItems: 1, unique: true }),
      part({
        required: ['fields'],
        keys: {
          fields: list(fieldName({ onRemoval: 'removeHolder' }), {
            label: 'Fields',
            minItems: 1,
            unique: true,
            help: 'The fields. A refused record has its message at the first one.',
          }),
          where: condition({
            label: 'Only among records where',
            onRemoval: 'removeHolder',
            help: 'Only records that match can collide. Compares stored fields of the record with fixed values. Default: all.',
          }),
          message: text({
            label: 'Message',
            fallback: 'Names the fields',
            help: 'What the user reads. Default: "A record with this maker and serial exists already."',
          }),
        },
      }),
    ],
    {
      title: 'fields',
      note: 'message',
      short: { key: 'fields', label: 'Add a condition or a message' },
      help: 'A list of fields, or an object with a condition or a message of its own.',
    },
  ),
  {
    label: 'Unique combinations',
    add: 'Add a combination',
    fallback: 'None besides unique fields',
    entry: ['unique combination', 'unique combinations'],
    help: 'Combinations of fields that no two records of a company have in common (of the installation, where records belong to no company), in any case of letters. Records with an empty value in one of the fields never collide. The database guarantees it, also for records that are stored at the same moment.',
    examples: [
      [['maker', 'serial'], { fields: ['asset_id'], where: { returned_on: null }, message: 'This asset is out.' }],
    ],
  },
);

const noOverlap = part({
  word: 'spans that must not overlap',
  help: 'Spans of time that no two records have in common, such as the loans of one asset. The database guarantees it, also for records that are stored at the same moment. A record without a start never collides; one without an end goes on.',
  examples: [{ fields: ['from', 'to'], partitionBy: ['employee_id'], message: 'The employee is away then.' }],
  required: ['fields'],
  keys: {
    fields: pair(fieldName({ onRemoval: 'removeHolder' }), {
      help: 'Where it begins and ends: two dates, of which the last one is part of it, or two date-times, of which it is not. A refused record has its message at the first one.',
    }),
    partitionBy: list(fieldName({ onRemoval: 'removeHolder' }), {
      label: 'Among records with the same',
      options: 'shared',
      unique: true,
      onRemoval: 'removeHolder',
      help: 'Only records with the same values in these collide: relations to one record, or whole numbers. Default: all of a company.',
    }),
    message: text({ label: 'Message about an overlap', fallback: 'Names the fields', help: 'What the user reads.' }),
  },
});

const comments = union(
  [
    flag(),
    part({
      onRemoval: 'leaveEmpty',
      keys: {
        write: choice(['view', 'edit'], {
          label: 'Who writes comments',
          labels: { view: 'Whoever may view the record', edit: 'Whoever may edit it' },
          help: 'Who writes: view: whoever may view the record · edit: whoever may edit it.',
          default: 'view',
        }),
        form: flag({
          label: 'Show comments in the form',
          help: "The form of a record shows them below it, in windows that are too narrow to have them beside it. Without, they are on the record's page (`page`) alone, and beside the form in wide windows.",
          default: true,
        }),
        internal: part({
          help: 'Comments can be internal: only users of these levels or roles read and write them, whichever record it is, and only they are mentioned in them and told of them. The box for a comment has a switch. Default: no comment is internal; those that were are hidden from everybody.',
          examples: [{ levels: [1, 2, 3, 4, 5] }],
          minProperties: 1,
          keys: {
            levels: levels({ fallback: 'Nobody: no comment is internal', help: 'Users of these levels.' }),
            roles: roles({
              fallback: 'Nobody: no comment is internal',
              help: 'Users of these roles, by their keys, besides those of `levels`.',
            }),
          },
        }),
        watchers: list(fieldName(), {
          label: 'Fields with people who watch a record',
          options: 'people',
          unique: true,
          onRemoval: 'leaveEmpty',
          help: 'Fields that name people who hear of the comments on a record without having asked for it, besides its author; of its changes hears who chose to watch it, or commented. Default: all of its fields that refer to users.',
        }),
      },
    }),
  ],
  {
    label: 'People comment on records',
    help: 'People comment on the records, mention each other, and watch what is said and changed. Whoever may view a record reads its comments. Needs records that belong to companies.',
    default: false,
  },
);

const timer = part({
  help: 'Its records are times that people spend on records of another module, and a timer can take them: everybody has one, it runs on the server until it is stopped, every window of theirs shows it in the bar, and stopping it opens the form of a new record with the day, the start and the end. An action on records of the other module starts it, with a call of `timer` (see `calls`). Default: none.',
  required: ['relation', 'start', 'end'],
  keys: {
    relation: fieldName({
      label: 'A timer takes the time of',
      options: 'relations',
      fallback: 'No timer',
      help: 'The relation to what the time is spent on.',
    }),
    start: fieldName({
      label: 'It begins at',
      options: 'timesOfDay',
      applies: { relation: true },
      help: 'The time that it began. Its `dateField` is the day.',
    }),
    end: fieldName({
      label: 'It ends at',
      options: 'timesOfDay',
      applies: { relation: true },
      help: 'The time that it ended, on the same day.',
    }),
  },
});

/** The definition of a resource. */
export const resource = file(
  'Resource',
  part({
    help: 'A record kind: its table, API, permissions, list and form all follow from this file. Whatever is left out has a default.',
    required: ['name', 'labels', 'fields'],
    keys: {
      $schema: text({
        help: 'The path of this schema, for completion and help in editors: "../schemas/resource.schema.json".',
      }),
      name: newResourceName({
        help: "The resource's name: its path in the API and in the browser, its module in permissions, and (with `_` for `-`) its table.",
      }),
      formerName: newResourceName({ help: 'Its former name. The table is renamed and keeps its rows.' }),
      labels: part({
        help: 'The names of its records for users.',
        required: ['one', 'many'],
        keys: {
          one: text({ label: 'Singular name', help: 'One of them: "Country".' }),
          many: text({ label: 'Plural name', help: 'Several: "Countries".' }),
        },
      }),
      description: text({ label: 'Description', lines: 2, help: 'One sentence about its purpose.' }),
      titles,
      scope: choice(['installation', 'company', 'both', 'self'], {
        label: 'Records belong to',
        labels: {
          company: 'Each company has its own',
          installation: 'All companies share them',
          both: 'Shared records, and each company’s own',
          self: 'A record is the company itself',
        },
        help: "Where records belong. installation: shared by all companies, written by level 1 · company: each belongs to one company · both: shared ones and a company's own · self: the record is the company itself.",
        default: 'company',
      }),
      envelope: choice(['data', null], { help: 'The property that wraps responses, or null for none.', default: null }),
      recordTitle: template({
        label: 'Record title',
        word: 'title of a record',
        fallback: '{name}',
        help: "A template over the record's fields: the title of a record. Default: `{name}`, `{option_name}`, `{title}`, or the first text field.",
      }),
      fields: record(schemaRef<FieldSource>('field.schema.json'), {
        minProperties: 1,
        names: newFieldName(),
        onRemoval: 'leaveEmpty',
        help: 'Its fields by name; their order is the order of the form. `id`, `created_by`, `updated_by`, `created_at`, `updated_at` (and `site_id`, the company) are always there; naming one changes how it shows.',
      }),
      parameters: record(schemaRef<ParameterSource>('parameter.schema.json'), {
        label: 'Parameters',
        entry: ['parameter', 'parameters'],
        add: 'New parameter',
        names: refer(identifier(), 'newField', { namesakeOf: 'field' }),
        help: 'Query names that are not fields.',
      }),
      chip,
      menu,
      list: schemaRef<ListSource>('list.schema.json', { help: 'The list of records.' }),
      form: schemaRef<FormSource>('form.schema.json', { help: 'The form of a record.' }),
      requests: record(schemaRef<RequestSource>('request.schema.json'), {
        entry: ['request', 'requests'],
        names: identifier(),
        help: 'Requests of their own on a record, by name: each changes some fields and adds a related record at once, in a dialog with a small form or with one click.',
      }),
      copy,
      choices: part({
        word: 'how records are chosen',
        help: 'How its records are distinguished where one of them is chosen for a relation or a filter.',
        keys: {
          detail: list(fieldName(), {
            label: 'Details that distinguish records with the same title',
            options: 'short',
            unique: true,
            help: 'Fields shown beside the title: the title of a relation, the text of others, and `id` as `#12`. Default: the relations that are its `container`, or else those that it requires (except people), and `id`. `#12` is added whenever two choices would still look the same.',
          }),
          alwaysShowDetail: flag({
            label: 'Always show the details',
            help: 'Beside every title, not only beside equal ones.',
            default: false,
          }),
        },
      }),
      export: exportSettings,
      exports: namedExports,
      print,
      public: publicAccess,
      import: schemaRef<ImportSource>('import.schema.json', {
        label: 'Records can be imported',
        onRemoval: 'leaveEmpty',
        help: 'Users who can create records can import them from a spreadsheet; `{}` uses every default. Without it, there is no import.',
      }),
      toasts: part({
        help: 'Messages after success, if the default ones do not fit.',
        keys: {
          created: text({ label: 'After adding', help: 'After adding.', default: 'Added Successfully' }),
          updated: text({ label: 'After changing', help: 'After changing.', default: 'Updated Successfully' }),
          deleted: text({
            label: 'After deleting',
            help: 'After deleting or archiving.',
            default: 'Deleted Successfully',
          }),
          restored: text({
            label: 'After restoring',
            help: 'After taking out of the archive. Default: "{one} Unarchive Successfully".',
          }),
          copied: text({ label: 'After copying', help: 'After adding a copy.', default: 'Copied Successfully' }),
        },
      }),
      delete: deletion,
      archive,
      rules: list(schemaRef<RuleSource>('rule.schema.json'), {
        entry: ['rule', 'rules'],
        help: 'Row rules and field rules: they narrow grants.',
      }),
      grants,
      hooks,
      rows: union(
        [
          text({ pattern: '^[a-z0-9-]+\\.json$' }),
          part({
            required: ['file'],
            keys: {
              file: text({
                pattern: '^[a-z0-9-]+\\.json$',
                help: 'The file in `rows/`: a list of records with their ids.',
              }),
              protected: flag({ help: 'These rows are never deleted.', default: true }),
            },
          }),
        ],
        {
          help: 'Rows that come with the program: a file in `rows/` beside the definition. A product may add rows to those of a definition of the system, and replace some by their id, in a file of the same name in its own `rows/`.',
        },
      ),
      indexes: list(list(fieldName(), { label: 'Fields', minItems: 1, help: 'The fields of an index.' }), {
        label: 'Additional indexes',
        entry: ['index', 'indexes'],
        add: 'Add an index',
        fallback: 'None besides those of relations, search and sorting',
        help: 'Indexes besides those that relations, search and sorting bring along: lists of fields.',
      }),
      validate,
      unique,
      noOverlap,
      automations: list(schemaRef<AutomationSource>('automation.schema.json'), {
        entry: ['automation', 'automations'],
        onRemoval: 'report',
        identity: 'name',
        maxItems: 100,
        help: 'Automations: what happens by itself after a change, at a time, or after a time without change. Decided in the transaction of the change, and done once from a queue afterwards. Every run is listed with what it did.',
        default: [],
      }),
      history: flag({
        label: 'Keep a history of changes',
        help: 'Every change of a record is recorded.',
        default: true,
      }),
      comments,
      timer,
      page: schemaRef<boolean | PageSource>('page.schema.json', {
        label: 'A record has a page for reading',
        word: 'page of a record',
        help: 'A page of a record for reading. Default: none; a record is read in its form.',
      }),
      system: flag({
        help: 'The program writes the records: lists and the API only read them; the program manages the table and the grants, which depend on the level only. Only shipped definitions can have this.',
        default: false,
      }),
    },
  }),
);
