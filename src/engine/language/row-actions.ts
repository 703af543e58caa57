/** The actions of rows, cards and menus, as a definition of a resource has them. */

import { actions } from '../definitions/action';
import { choice, union, flag, list, part, record, recordValue, template, text, type Words } from './key';
import { condition, fieldName, iconName, identifier, levels, resourceName, roles, refer } from './names';

/** The row actions that every menu can have. */
export const menuActions: readonly string[] = ['edit', 'view', 'copy', 'delete'];

/** The name of a row action. */
export const actionName = (words: Words = {}) => refer(text(words), 'action');

export const rowActions = list(
  union(
    [
      text({ minLength: 0 }),
      part({
        required: ['name'],
        keys: {
          name: text({ help: 'Its name.' }),
          label: text({ label: 'Label', help: 'Its label.' }),
          icon: iconName({ label: 'Icon', help: 'The name of an icon.' }),
          calls: part({
            help: 'A call with its own response, such as sending something again. Also a button of the form.',
            required: ['path'],
            keys: {
              path: text({
                label: 'Path of the call',
                begin: '{resource}/{id}',
                pattern: '^[a-z][a-z0-9-]*(/(\\{id\\}|[a-z][a-z0-9-]*))*$',
                help: "Its path in the API, POST; `{id}` is the record's id.",
              }),
              body: record(recordValue(), {
                label: 'What it sends',
                input: 'sentValues',
                help: "The request body; `$record.id` is the record's id.",
                default: {},
              }),
              permission: choice(['view', 'edit'], {
                label: 'It needs permission for',
                labels: { view: 'Viewing the record' },
                fallback: 'Editing the record',
                help: 'The permission needed on the record.',
                default: 'edit',
              }),
              grants: list(
                part({
                  title: 'resource',
                  note: 'action',
                  help: 'A grant.',
                  required: ['resource', 'action'],
                  keys: {
                    resource: resourceName({ label: 'On', help: 'The resource of the grant.' }),
                    action: choice([...actions], { label: 'To', help: 'What the grant allows.' }),
                  },
                }),
                {
                  label: 'It also needs the grants',
                  add: 'Add a grant',
                  fallback: 'None',
                  minItems: 1,
                  help: 'Grants that the call needs besides the permission on the record, such as to create records of another resource. Offered only to users who have all of them.',
                },
              ),
              idsProperty: identifier({
                label: 'Property with the ids of selected rows',
                help: 'The property of the body with the ids of records: then the action is offered for selected records too, and made in one call for all of them, up to 1,000.',
              }),
              confirm: text({ label: 'Question before', help: 'A question asked before.' }),
              toast: text({
                label: 'Message after',
                help: "Message after success. `{name}` is a property of the response's `data`, of a list its length. Default: the message in the response.",
              }),
              shows: part({
                label: 'A dialog shows its answer',
                kinds: {
                  label: 'The answer is',
                  by: {
                    html: { label: 'A page' },
                    secret: { label: 'A secret that is never shown again' },
                  },
                },
                help: "The response is shown in a dialog: a page, or a secret that is never shown again, with a button that copies it. Names of the response's properties.",
                required: ['title', 'text'],
                schema: { oneOf: [{ required: ['html'] }, { required: ['secret'] }] },
                keys: {
                  html: text({
                    label: 'Property with the page',
                    begin: 'html',
                    minLength: 0,
                    help: "The page's HTML.",
                  }),
                  secret: text({
                    label: 'Property with the secret',
                    begin: 'secret',
                    minLength: 0,
                    help: "The secret's.",
                  }),
                  title: text({ label: 'Property with the title', begin: 'title', minLength: 0, help: "The title's." }),
                  text: text({
                    label: 'Property with the text',
                    begin: 'text',
                    minLength: 0,
                    help: "The plain text's: of a page its plain text, beside a secret what to do with it.",
                  }),
                },
              }),
              afterCreate: flag({
                label: 'Also made when a record was added',
                help: 'It is also made, without its question, as soon as a record was added in the panel of the form (`form.dialog` with `side`), which then shows the secret. Needs `shows` with `secret`.',
                default: false,
              }),
            },
          }),
          goTo: part({
            help: 'Opens another list with a filter.',
            required: ['resource'],
            keys: {
              resource: resourceName({ label: 'Opens the list of', help: 'The resource whose list opens.' }),
              filter: record(recordValue(), {
                label: 'Filter of that list',
                fallback: 'None: all of its records.',
                names: refer(text(), 'field', { in: 'resource' }),
                help: "Filter names and their values; `$record.id` is the row's id.",
                default: {},
              }),
            },
          }),
          screen: template({
            label: 'Opens the screen',
            begin: '/{resource}/{id}',
            onRemoval: 'report',
            pattern: '^/[A-Za-z0-9/{}_?=&-]*$',
            maxLength: 200,
            help: "Opens a screen of the product, for users who can view the record. Names of fields in braces stand for the record's values: `/test-runs/{id}/run`. A path without names opens for any number of records: the action is offered for selected records and for a filtered list instead of on rows, and the screen gets their ids or the filter.",
          }),
          opens: part({
            help: 'Opens the form of a new record of another resource as a dialog; offered to users who can create there.',
            required: ['resource'],
            keys: {
              resource: resourceName({ label: 'Adds a record of', help: 'The resource that a record is made of.' }),
              values: record(recordValue(), {
                label: 'Values that cannot be changed',
                input: 'fixedValues',
                add: 'Add a value',
                fallback: 'None.',
                names: fieldName({ in: 'resource' }),
                help: "Fields of the new record and their values; `$record.id` is the row's id.",
                default: {},
              }),
              initial: record(recordValue(), {
                label: 'Values that it begins with',
                input: 'initialValues',
                add: 'Add an initial value',
                fallback: 'Its defaults.',
                names: fieldName({ in: 'resource' }),
                help: "Fields of the new record with values that the form begins with and the user can change; `$record.name` is the row's name.",
                default: {},
              }),
            },
          }),
          roles: roles({
            help: 'Offered only to users of these roles, by their keys, besides those of `levels`. A request that names nobody itself is for these alone, over the API too. Default: all.',
          }),
          levels: levels({
            help: 'Offered only to users of these levels. A request that names nobody itself is for these alone, over the API too. Default: all.',
          }),
          visible: condition({
            label: 'Only on records where',
            help: 'Offered only on matching records. Default: always.',
          }),
          visibleOnRecord: condition({
            label: 'On cards and forms only where',
            help: "On cards and on the record's form, offered only if this matches. Default: as in rows.",
          }),
        },
      }),
    ],
    {
      help: "A known action by name, or an action of the definition's own.",
      kinds: {
        label: 'Does',
        by: {
          goTo: { label: 'Open another list' },
          opens: { label: 'Add a record of another module' },
          screen: { label: 'Open a screen' },
          calls: { label: 'Make a call of the API' },
        },
      },
    },
  ),
  {
    entry: ['row action', 'row actions'],
    identity: 'name',
    help: "The actions for a row. Built in: `edit`, `view`, `copy`, `unarchive`, `delete`, and the definition's requests by name. Default: edit, delete, and unarchive if records can be archived.",
  },
);
