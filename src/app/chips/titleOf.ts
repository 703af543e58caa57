export { embedsOf, titleOf } from '../../engine/lists/titles';
