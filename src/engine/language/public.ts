import { anyValue, flag, integer, list, part, record, text } from './key';
import { fieldName } from './names';

/** The parts of a resource that people without an account can reach. */
export const publicAccess = part({
  help: 'What people without an account can reach. Default: nothing.',
  keys: {
    create: part({
      help: "A form for people without an account, at addresses that an owner of a company makes and revokes (the list's button Public form). Whoever has one can send records of that company, within limits for each network and each form. Their author is nobody: the history names the public form. Needs records that belong to companies.",
      required: ['fields'],
      examples: [
        {
          title: 'Ask us for an offer',
          fields: ['name', 'email', 'message'],
          values: { source: 'website' },
          confirmation: 'Thank you. We answer within two days.',
        },
      ],
      keys: {
        fields: list(fieldName(), {
          minItems: 1,
          unique: true,
          help: 'The fields of the form, in order. Anything else that is sent is refused. A relation needs `choices` of the resource that it leads to.',
        }),
        values: record(anyValue(), {
          names: fieldName(),
          help: 'Values of other fields. The rest has its default.',
        }),
        title: text({ maxLength: 150, help: 'Its heading. Default: "Add New {one}".' }),
        text: text({ maxLength: 2000, help: 'A text below the heading.' }),
        confirmation: text({
          maxLength: 1000,
          help: 'What is shown after sending.',
          default: 'Thank you. We have received what you sent.',
        }),
        mail: part({
          help: 'A mail to the address that was entered, at most one a day for each address and form. Its text is the same for everybody, so that nobody can write to others through it.',
          required: ['address', 'subject', 'text'],
          keys: {
            address: fieldName({ help: 'A field of the form with an email address.' }),
            subject: text({ maxLength: 150, help: 'The subject.' }),
            text: text({ maxLength: 4000, help: 'The text.' }),
          },
        }),
        hourlyLimit: integer({
          minimum: 1,
          maximum: 10000,
          help: 'So many can be sent in an hour with one address of the form.',
          default: 100,
        }),
      },
    }),
    choices: flag({
      help: 'The titles of its records that are not archived are offered in public forms of other resources, for relations that these name.',
      default: false,
    }),
  },
});
