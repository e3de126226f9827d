BenchCommands.run()
