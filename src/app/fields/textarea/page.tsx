import { isMarkdown } from '../../../engine/formats/markdown';
import { MarkdownText } from '../markdown/MarkdownText';
import { picturesOf } from '../markdown/picturesOf';
import type { CellProps, PageFacets } from '../fieldType';
import * as styles from '../page-values.module.css';

/** With its lines, and its marks if it can have some. */
function Value({ field, value, definition, record }: CellProps) {
  const text = String(value);
  return (
    <p className={styles.valueLines}>
      {isMarkdown(field) ? <MarkdownText text={text} pictures={picturesOf(definition, record)} /> : text}
    </p>
  );
}

export default { Value, width: 'half' } satisfies PageFacets;
