// @ts-check

// Packages that an ordinary start does not need. `require` loads each at its first call, also in the bundle.

/** 7 MB and 8 ms, for names that are not ASCII. @returns {typeof import('tr46')} */
exports.idna = () => require('tr46');

/** 14 MB and 30 ms, for contacts. @returns {typeof import('libphonenumber-js/min')} */
exports.phoneNumbers = () => require('libphonenumber-js/min');
