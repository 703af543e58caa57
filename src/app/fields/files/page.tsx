import { filesIn } from '../../../engine/field-types/stored-files';
import type { CellProps, PageFacets } from '../fieldType';
import { FileList } from './FileList';

const Value = ({ value }: CellProps) => <FileList files={filesIn(value)} />;

export default { Value } satisfies PageFacets;
