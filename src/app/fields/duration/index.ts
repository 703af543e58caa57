export { Cell } from '../number/Cell';
export { Input } from './Input';
