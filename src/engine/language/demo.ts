import { file, integer, list, part, record, text } from './key';

/** The file `demo.json` of a product. */
export const demo = file(
  'Demo data',
  part({
    help: "The file `demo.json` of a product that consists of JSON alone: a company with accounts and records to try it with. It is loaded into an empty database where the settings allow demo data (`DEMO`), through the same calls as users' own records, with their rules, keys and history.",
    required: ['company', 'accounts', 'records'],
    keys: {
      $schema: text({
        help: 'The path of this schema, for completion and help in editors: "../../schemas/demo.schema.json".',
      }),
      company: record(undefined, { help: 'The fields of the company, as in `system/sites.json`.' }),
      accounts: record(
        part({
          required: ['email', 'role_id', 'first_name', 'last_name'],
          open: true,
          keys: {
            email: text({
              pattern: '@demo\\.test$',
              format: 'email',
              minLength: 0,
              help: 'An address that ends with @demo.test.',
            }),
            role_id: integer({
              minimum: 1,
              help: '1: administrator, 2: owner, 3: manager, 4: developer, 5: QA, 6: external user, or a role of `resources/rows/roles.json`.',
            }),
            first_name: text({ help: 'The first name.' }),
            last_name: text({ help: 'The last name.' }),
          },
        }),
        {
          minProperties: 1,
          help: 'Users by a key of your own, which records can refer to. Their password is Demo@1234; the sign-in page offers them.',
        },
      ),
      records: list(
        part({
          required: ['resource', 'rows'],
          keys: {
            resource: text({ help: 'The name of the resource.' }),
            account: text({
              minLength: 0,
              help: 'The key of the account that creates them. Default: the first one that belongs to the company.',
            }),
            rows: list(
              part({
                open: true,
                keys: {
                  $key: text({ help: 'A key that later rows can refer to.' }),
                  $then: list(record(undefined), {
                    help: 'Changes after it was created, one after the other, as a state that goes its way.',
                  }),
                },
              }),
              {
                help: 'The records. In relations, texts are keys of accounts or of rows above. Days and times may be relative: "$today-14d".',
              },
            ),
          },
        }),
        { help: 'Records by resource, in the order in which they are created.' },
      ),
    },
  }),
);
