// Only lists with such columns load these components.
export { PartsCell } from './PartsCell';
export { SecondLine } from './SecondLine';
