// @ts-check

// Packages that an ordinary start does not need. `require` loads each at its first call, also in the bundle, where each is a file.

/** 7 MB and 8 ms, for names that are not ASCII. @returns {typeof import('tr46')} */
exports.idna = () => require('tr46');

/** 14 MB and 30 ms, for contacts. @returns {typeof import('libphonenumber-js/min')} */
exports.phoneNumbers = () => require('libphonenumber-js/min');

/** For files of commands. @returns {typeof import('csv-parse')} */
exports.csvParse = () => require('csv-parse');

/** For metrics. @returns {typeof import('prom-client')} */
exports.prometheus = () => require('prom-client');
