import { union, file, list, number, part, record, recordValue, text, type ValueOf } from './key';
import { condition, fieldName, iconName, levels, resourceName, roles } from './names';

/** A request: a dialog or button that changes a record. */
export const request = file(
  'Request',
  part({
    help: 'A request on a record: `PATCH /api/{path}` changes some of its fields and adds a related record in one transaction. In the user interface: a row action by its name, and a button of the form; both open a dialog with a small form and a list. A request that sets fixed values is made with one click, for several selected rows too, after what it asks for and its question, if any.',
    required: ['label'],
    keys: {
      label: text({ label: 'Label', help: 'Its label.' }),
      icon: iconName({ label: 'Icon', help: 'The name of an icon.', default: 'chevron-right' }),
      title: text({
        label: 'Title of the dialog',
        help: "The dialog's title; `{total}` is the number of records in `list`. Default: the label.",
      }),
      path: text({
        label: 'Path in the API',
        pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*/\\{id\\}$',
        help: 'Its path in the API: `task/{id}`. Default: the names of the resource and of the request: `loans-approve/{id}`.',
      }),
      width: union([number(), text({ minLength: 0 })], {
        label: 'Width of the dialog',
        input: 'width',
        help: 'The dialog\'s width: pixels, or a share such as "80%".',
        default: '80%',
      }),
      toast: text({ label: 'Message after', help: 'Message after success.', default: 'Saved Successfully' }),
      sets: union([list(fieldName(), { unique: true }), record(recordValue(), { names: fieldName() })], {
        help: 'Fields of the record that it changes, for users who can edit them: a list of names, whose values the form asks for, or an object with fixed values: plain ones, `null`, `$now`, `$today`, `$actor.id` (or another property of the user). Fixed values also reach fields that are read-only for everybody.',
        default: [],
        examples: [['status_id', 'note'], { state: 'approved', approved_by: '$actor.id', approved_at: '$now' }],
      }),
      asks: list(fieldName(), {
        unique: true,
        help: 'With fixed values: further fields that the user must fill in before.',
        default: [],
        examples: [['reason']],
      }),
      where: condition({
        label: 'Only on records where',
        onRemoval: 'report',
        help: 'Only records that match offer the request; on others it is refused. Compares values of the record, also computed ones, its rows and related records, the user and the day. Default: all.',
        examples: [{ state: 'requested' }, { 'employee_id.manager_id': '$actor.id' }],
      }),
      levels: levels({
        help: 'Only users of these levels may make it, besides the permission to edit the record. Default: all.',
      }),
      roles: roles({ help: 'Only users of these roles, by their keys, besides those of `levels`. Default: all.' }),
      confirm: text({ label: 'Question before', help: 'A question before it is made. Default: none.' }),
      adds: part({
        label: 'It adds a related record',
        lacks: 'No other module has a relation to this one.',
        help: 'The record that it creates. Permission to edit the record is enough.',
        required: ['resource', 'relation', 'fields'],
        keys: {
          resource: resourceName({ label: 'Record of', options: 'referring', help: 'Of which resource.' }),
          relation: fieldName({
            label: 'Its relation to the record',
            options: 'selfRelations',
            in: 'resource',
            help: 'Its relation to the record.',
          }),
          fields: list(fieldName({ in: 'resource' }), {
            label: 'Its fields',
            options: 'added',
            minItems: 1,
            unique: true,
            help: 'Its fields that are sent.',
          }),
        },
      }),
      required: list(fieldName({ listedIn: ['sets', 'asks'] }), {
        unique: true,
        help: 'Names that must be sent with a value, unless they are hidden.',
        default: [],
      }),
      ignoredNames: list(fieldName({ listedIn: ['sets', 'asks'] }), {
        label: 'Ignored names',
        input: 'typedNames',
        unique: true,
        help: 'Names that can be sent and are ignored.',
        default: [],
      }),
      visible: record(condition({ label: '{key} is shown when' }), {
        label: 'Fields shown only under a condition',
        options: 'askedFields',
        add: 'Add a field that is not always shown',
        fallback: 'None: every field is shown.',
        names: fieldName({ listedIn: ['sets', 'asks'] }),
        help: 'When a field is shown, by name. Default: always. A hidden field is never required, and rejected if it differs from the stored value.',
      }),
      list: part({
        label: 'Records are listed beside the form',
        help: 'Records listed beside the form.',
        required: ['resource'],
        keys: {
          resource: resourceName({ label: 'List of', help: 'Of which resource.' }),
          filter: record(recordValue(), {
            label: 'Which records are listed',
            names: fieldName({ in: 'resource' }),
            help: "Query names of that list and their values; `$record.id` is the record's id.",
            default: {},
          }),
        },
      }),
    },
  }),
);

export type RequestSource = ValueOf<typeof request>;
