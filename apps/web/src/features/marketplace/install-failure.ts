/** Where the server says nothing, specification §8. */
export const INSTALL_FAILURE = 'Failed to install item';
