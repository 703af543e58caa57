import { isStoredImage } from '../../../engine/field-types/image';
import type { CellProps } from '../fieldComponents';
import './image.css';

/** A thumbnail and the file's name. */
export function Cell({ value }: CellProps) {
  if (!isStoredImage(value)) return null;
  return (
    <span className="cell-text" title={value.name}>
      <img className="picture-thumb" src={value.url} alt="" loading="lazy" />
      {value.name}
    </span>
  );
}
