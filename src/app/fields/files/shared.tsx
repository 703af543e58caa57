import { filesIn, isShownPicture } from '../../../engine/field-types/stored-files';
import { Picture } from '../image/Picture';
import type { SharedFacets } from '../fieldType';

/** Pictures as such, other files as links. */
function Value({ value }: { value: unknown }) {
  return filesIn(value).map(({ name, type, url }) =>
    isShownPicture({ type }) ? (
      <Picture key={url} name={name} url={url} />
    ) : (
      <p key={url}>
        <a href={url} download={name}>
          {name}
        </a>
      </p>
    ),
  );
}

export default { Value, isSection: () => true } satisfies SharedFacets;
