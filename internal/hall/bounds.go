package hall

// DurationBounds are the upper bounds of the buckets in which figures count
// durations, in seconds; what is longer is in a last bucket without an end. A
// duration on a bound is in the bucket that ends there. From 60 seconds on a
// bucket ends at most 25 % above its begin, before that at most 15 seconds.
var DurationBounds = []int{
	0, 5, 10, 15, 20, 30, 45, 60, 75, 90, 105, 120, 150, 180, 210, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1080, 1200,
	1500, 1800, 2100, 2400, 2700, 3000, 3600, 4200, 4800, 5400, 6000, 7200, 9000, 10800, 12600, 14400, 18000, 21600, 25200, 28800,
	36000, 43200,
}
