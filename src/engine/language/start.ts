import { file, list, part, text } from './key';

/** The file `start.json` of a product of JSON alone. */
export const start = file(
  'Guided start',
  part({
    help: 'The file `start.json` of a product that consists of JSON alone: what the home page offers a company that has no records yet. Each step is done when a record of its resource exists. People only see the steps of what they may create; they can hide them.',
    required: ['steps'],
    keys: {
      $schema: text({
        help: 'The path of this schema, for completion and help in editors: "../../schemas/start.schema.json".',
      }),
      steps: list(
        part({
          required: ['resource'],
          keys: {
            resource: text({ help: 'The name of the resource.' }),
            text: text({ maxLength: 160, help: 'What its records are for, in one sentence.' }),
          },
        }),
        { minItems: 1, maxItems: 5, help: 'The kinds of records that a company begins with, in this order.' },
      ),
      sample: part({
        help: 'A small set of records to look around in. It is created in one transaction, with the rights of whoever asks for it, and removed again in one step.',
        required: ['label', 'text', 'records'],
        keys: {
          label: text({ maxLength: 60, help: 'The button: "Create a sample project".' }),
          text: text({ maxLength: 160, help: 'What is created, in one sentence.' }),
          records: list(
            part({
              required: ['resource', 'rows'],
              keys: {
                resource: text({ help: 'The name of the resource.' }),
                rows: list(
                  part({ open: true, keys: { $key: text({ help: 'A key that later rows can refer to.' }) } }),
                  {
                    minItems: 1,
                    maxItems: 50,
                    help: 'The records. In relations, texts are keys of rows above. Days and times may be relative: "$today-14d".',
                  },
                ),
              },
            }),
            { minItems: 1, help: 'Records by resource, in the order in which they are created.' },
          ),
        },
      }),
    },
  }),
);
