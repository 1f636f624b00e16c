/** UNCL5305: standard, zero, exempt, reverse charge, intra-community, export, outside, IGIC, IPSI. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;
