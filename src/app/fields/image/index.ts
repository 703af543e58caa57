export { Cell } from './Cell';
export { Input } from './Input';
