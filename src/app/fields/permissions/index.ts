export { Aside } from './Aside';
export { Cell } from './Cell';
export { Input } from './Input';
