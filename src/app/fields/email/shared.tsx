import type { SharedFacets } from '../fieldType';

function Value({ text }: { text: string }) {
  return <a href={`mailto:${text}`}>{text}</a>;
}

export default { Value } satisfies SharedFacets;
