// What only lists with such columns load.
export { PartsCell } from './PartsCell';
export { SecondLine } from './SecondLine';
