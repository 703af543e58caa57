import { list, text } from '../key';
import { maxItems } from './shared-keys';
import { typeKeys } from './type-keys';

export const files = typeKeys({
  keys: {
    accept: list(text({ pattern: '^(\\*|[a-z]+)/(\\*|[a-z0-9.+-]+)$' }), {
      label: 'Accepts',
      options: 'fileKinds',
      minItems: 1,
      help: 'files: the kinds that it takes, by content: a type such as `application/pdf`, a group such as `image/*`, or `*/*` for any.',
      default: ['*/*'],
      examples: [['image/*', 'application/pdf']],
    }),
    maxItems,
    maxSize: text({
      label: 'Size of each at most',
      pattern: '^[1-9][0-9]{0,3} (kB|MB)$',
      help: 'files: the greatest size of each, up to `100 MB`. Units are of 1,024.',
      default: '10 MB',
      examples: ['25 MB'],
    }),
  },
});
