import type { ProductCode } from './program';

/**
 * The code of the product in the folder that `--product` names: none in this build. In the build for a product with an
 * `index.ts`, that file stands in place of this one.
 */
export const product: ProductCode | undefined = undefined;
