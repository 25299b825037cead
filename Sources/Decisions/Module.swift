// laid with the module
