import { choice, list, part, template } from './key';

/** A printed page of a record. */
export const print = part({
  label: 'Records can be printed',
  word: 'printed page',
  help: 'A page of a record to print or to store as PDF: `GET /api/{name}/{id}/print` for whoever may view it, and the button Print on its page and form.',
  required: ['template'],
  examples: [
    {
      paper: 'A4',
      template: [
        '<h1>Offer {key}</h1>',
        '<p>{company.name}</p>',
        '<table><tr><th>Product</th><th class="right">Amount</th></tr>',
        '{#lines}<tr><td>{product}</td><td class="right">{amount}</td></tr>{/lines}',
        '</table>',
        '{#note}<p>{note}</p>{/note}',
      ],
    },
  ],
  keys: {
    template: list(template({ minLength: 0 }), {
      label: 'Template',
      input: 'lines',
      begin: ['<h1>{recordTitle}</h1>'],
      onRemoval: 'report',
      isWhole: true,
      minItems: 1,
      maxItems: 500,
      help: 'Lines of HTML with names of fields in braces: `{key}`, `{company.name}`. `{#lines}…{/lines}` is repeated for each row, related record or record that refers here, whose fields are named without a path; for any other field it is shown where there is a value that is not `false`. `{^note}…{/note}` is shown where there is none. Values are written as their reader reads them and are never markup, except formatted text. Elements of formatted text and tables are kept, with the classes `right`, `center`, `small`, `columns` (a table without lines) and `break` (begins a page); scripts, styles, pictures and everything else are dropped.',
    }),
    paper: choice(['A4', 'Letter'], { label: 'Paper', help: 'The size of a page.', default: 'A4' }),
  },
});
