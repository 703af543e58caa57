import type { SharedFacets } from '../fieldType';

function Value({ text }: { text: string }) {
  return <a href={`tel:${text.replace(/[^\d+]/g, '')}`}>{text}</a>;
}

export default { Value } satisfies SharedFacets;
