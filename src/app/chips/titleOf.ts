export { embedsOf, recordTitleOf } from '../../engine/lists/titles';
