import fc from 'fast-check';

// Property tests run the same cases for each mutant. A failure counts; its smallest case does not matter.
fc.configureGlobal({ seed: 20_260_101, endOnFailure: true });
