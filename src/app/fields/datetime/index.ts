export { Cell } from '../date/Cell';
export { Input } from './Input';
