import type { InputFacets } from '../fieldType';
import { DateInput } from './DateInput';

export default { Input: DateInput } satisfies InputFacets;
