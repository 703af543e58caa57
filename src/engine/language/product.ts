import { file, part, text } from './key';
import { newResourceName } from './names';

/** The file `product.json` of a product of JSON alone. */
export const product = file(
  'Product',
  part({
    help: 'The file `product.json` of a product that consists of JSON alone. Its definitions are in `resources/` beside it; `npm start -- --product FOLDER` starts it. The file may be left out.',
    keys: {
      $schema: text({
        help: 'The path of this schema, for completion and help in editors: "../../schemas/product.schema.json".',
      }),
      name: newResourceName({ help: 'Lower-case letters, digits and `-`. Default: the name of the folder.' }),
      title: text({ maxLength: 60, help: 'What users call it. Default: the name of the folder, capitalised.' }),
    },
  }),
);
