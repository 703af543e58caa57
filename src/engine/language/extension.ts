import { anyValue, either, file, flag, keyWith, list, part, record, text } from './key';
import { resourceName } from './names';

/** The changes of a product to a definition of the system. */
export const extension = file(
  'Extension',
  part({
    help: 'What a product changes in a definition of the system (`system/`): a file `<name>.extension.json` beside its own definitions. Keys of objects are merged, also within objects; lists and single values are replaced. A new key comes before the next key of the extension that the definition has too (an empty object names a place without changing it), otherwise at the end. The result is checked like any other definition.',
    required: ['extends'],
    keys: {
      $schema: text({
        help: 'The path of this schema, for completion and help in editors: "../schemas/extension.schema.json".',
      }),
      extends: resourceName({
        help: 'The name of the definition of the system. The file is named `<name>.extension.json`.',
      }),
      remove: list(text({ pattern: '^(/[^/]+)+$' }), {
        unique: true,
        help: 'Keys of that definition that are removed before the rest is merged, as JSON pointers: "/fields/phone_number".',
      }),
      labels: record(undefined, { help: 'As in a resource, merged.' }),
      description: text({ minLength: 0, help: 'As in a resource, merged.' }),
      titles: record(undefined, { help: 'As in a resource, merged.' }),
      scope: anyValue({ help: 'As in a resource, merged.' }),
      envelope: anyValue({ help: 'As in a resource, merged.' }),
      recordTitle: text({ minLength: 0, help: 'As in a resource, merged.' }),
      fields: record(undefined, { help: 'As in a resource, merged.' }),
      parameters: record(undefined, { help: 'As in a resource, merged.' }),
      chip: record(undefined, { help: 'As in a resource, merged.' }),
      menu: either([record(undefined), flag()], { help: 'As in a resource, merged.' }),
      list: anyValue({ help: 'As in a resource, merged.' }),
      form: anyValue({ help: 'As in a resource, merged.' }),
      requests: record(undefined, { help: 'As in a resource, merged.' }),
      copy: record(undefined, { help: 'As in a resource, merged.' }),
      choices: record(undefined, { help: 'As in a resource, merged.' }),
      export: either([flag(), record(undefined)], { help: 'As in a resource, merged.' }),
      exports: record(undefined, { help: 'As in a resource, merged.' }),
      print: record(undefined, { help: 'As in a resource, merged.' }),
      import: anyValue({ help: 'As in a resource, merged.' }),
      toasts: record(undefined, { help: 'As in a resource, merged.' }),
      delete: record(undefined, { help: 'As in a resource, merged.' }),
      archive: either([flag(), record(undefined)], { help: 'As in a resource, merged.' }),
      rules: keyWith({ type: 'array' }, { help: 'As in a resource, merged.' }),
      grants: record(undefined, { help: 'As in a resource, merged.' }),
      hooks: record(undefined, { help: 'As in a resource, merged.' }),
      rows: either([text({ minLength: 0 }), record(undefined)], { help: 'As in a resource, merged.' }),
      indexes: keyWith({ type: 'array' }, { help: 'As in a resource, merged.' }),
      validate: keyWith({ type: 'array' }, { help: 'As in a resource, merged.' }),
      unique: keyWith({ type: 'array' }, { help: 'As in a resource, merged.' }),
      noOverlap: record(undefined, { help: 'As in a resource, merged.' }),
      when: keyWith({ type: 'array' }, { help: 'As in a resource, merged.' }),
      history: flag({ help: 'As in a resource, merged.' }),
      comments: either([flag(), record(undefined)], { help: 'As in a resource, merged.' }),
      timer: record(undefined, { help: 'As in a resource, merged.' }),
      page: either([flag(), record(undefined)], { help: 'As in a resource, merged.' }),
      system: flag({ help: 'As in a resource, merged.' }),
    },
  }),
);
